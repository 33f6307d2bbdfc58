import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { banking } from '@icosa/banking'
import { type Database, findTag, openDatabase, sql } from '@icosa/kernel'
import { children, type DatabaseProxy, freePort, startProxy } from '@icosa/testing'
import { createTestDirectory } from '../../apps/server/src/cells/testing/directory.ts'
import type { Request } from '../../apps/server/src/moves/move.ts'
import type { Move } from '../../apps/server/src/moves/store.ts'
import { replicationSettings } from '../../apps/server/src/moves/testing/cells.ts'
import { startHaproxy } from '../../apps/server/src/router/testing/haproxy.ts'
import { addTenant } from '../../apps/server/src/router/testing/router.ts'
import { type OwnPostgres, ownPostgres } from '../chaos/own-postgres.ts'
import { openCell, type Process } from '../chaos/processes.ts'
import type { MoverOptions } from './mover.ts'

const cli = fileURLToPath(new URL('../../apps/server/bin/icosa.js', import.meta.url))

/** A cell with a PostgreSQL, a node and a worker of its own. */
export interface PlacedCell {
  readonly name: string
  readonly number: number
  /** Through the link, which stays when PostgreSQL is started again. */
  readonly databaseUrl: string
  readonly database: Database
  readonly link: DatabaseProxy
  readonly url: string
  /** Kills it with SIGKILL, and starts it again. */
  readonly kill: Readonly<Record<'api' | 'worker' | 'postmaster', () => Promise<void>>>
}

/** A process that was killed has been started again once the promise resolves. */
export interface RouterProcess {
  readonly url: string
  kill(): Promise<void>
}

export interface Mover {
  /** Lines that it has said, and how it ended: undefined if it was killed. */
  readonly ended: Promise<Move | { readonly error: string } | undefined>
  kill(): void
}

/** Three cells behind both routers, and the tenant ada in the first. */
export interface CellsWorld extends AsyncDisposable {
  readonly cells: readonly PlacedCell[]
  readonly directory: Database
  /** Of routers and movers. */
  readonly directoryLink: DatabaseProxy
  readonly routers: { readonly route: RouterProcess; readonly haproxy: RouterProcess }
  readonly key: string
  /** Where the tenant lives, by the directory. */
  home(): Promise<PlacedCell>
  startMover(
    ends: { readonly source: PlacedCell; readonly target: PlacedCell },
    options: { readonly request?: Request | undefined; readonly onLine?: (line: string) => void },
  ): Mover
}

export const tenant = 'ada'

export async function openCells(): Promise<CellsWorld> {
  await using opening = new AsyncDisposableStack()
  const stack = opening
  const folder = await mkdtemp(join(tmpdir(), 'icosa-cells-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const { database: directory, url: directoryUrl } = stack.use(await createTestDirectory())
  const directoryLink = stack.use(await startProxy(directoryUrl))
  const names = ['a', 'b', 'c']
  const placed = await Promise.all(names.map((name, index) => openPlaced(stack, name, index + 1)))
  const cells = placed.map(({ cell }) => cell)
  const [first] = placed as [Placed]
  for (const { name, number, url, databaseUrl } of cells)
    await directory.run(sql`
      insert into directory.cells (name, number, url, database_url, labels, capacity, state, is_home)
      values (${name}, ${number}, ${url}, ${databaseUrl}, '{}', 100, 'active', ${number === 1})`)
  await addTenant(directory, tenant, (await findTag(first.cell.database, tenant)) as string, 'a')
  const processes = stack.use(children())
  const routers = {
    route: await startRoute(processes.add, directoryLink.url, join(folder, 'route')),
    haproxy: await startFollowed(stack, processes.add, directoryLink.url, join(folder, 'haproxy')),
  }
  const disposed = opening.move()
  return {
    ...{ cells, directory, directoryLink, routers, key: first.key },
    async home() {
      const { cell } = await directory.one<{ cell: string }>(
        sql`select cell from directory.tenants where id = ${tenant}`,
      )
      return cells.find(({ name }) => name === cell) as PlacedCell
    },
    startMover({ source, target }, { request, onLine }) {
      const end = ({ name, number, databaseUrl }: PlacedCell) => ({ name, number, databaseUrl })
      const options: MoverOptions = {
        ...{ directoryUrl: directoryLink.url, source: end(source), target: end(target), tenant },
        ...(request && { request }),
      }
      const child = processes.add(fork(new URL('mover.ts', import.meta.url), [JSON.stringify(options)]))
      let outcome: Move | { error: string } | undefined
      child.on('message', (message: { line?: string; move?: Move; error?: string }) => {
        if (message.line !== undefined) onLine?.(message.line)
        else outcome = message.move ?? { error: message.error ?? '' }
      })
      return { ended: once(child, 'close').then(() => outcome), kill: () => void child.kill('SIGKILL') }
    },
    [Symbol.asyncDispose]: () => disposed.disposeAsync(),
  }
}

interface Placed {
  readonly cell: PlacedCell
  readonly key: string
}

/** A kill ends processes, not the machine: written data survives without waiting for the disk. */
const settings = [...replicationSettings, 'fsync = off']

async function openPlaced(stack: AsyncDisposableStack, name: string, number: number): Promise<Placed> {
  const postgres: OwnPostgres = await ownPostgres([banking()], settings)
  const link = stack.use(await startProxy(postgres.url))
  const owner = number === 1 ? tenant : `other-${name}`
  const opened = stack.use(await openCell({ ...postgres, url: link.url }, owner))
  const database = openDatabase({ url: link.url, maxConnections: 4, onError: () => {} })
  stack.defer(() => database.close())
  const port = await freePort()
  const options = { bank: true, routed: true, clock: 'system' } as const
  const start = {
    api: () => opened.start({ ...options, api: true, port }),
    worker: () => opened.start({ ...options, worker: true }),
  }
  const nodes = { api: await start.api(), worker: await start.worker() }
  const restart = async (role: 'api' | 'worker') => {
    await end((nodes[role] as Process).child)
    nodes[role] = await start[role]()
  }
  const cell: PlacedCell = {
    ...{ name, number, databaseUrl: link.url, database, link, url: `http://127.0.0.1:${port}` },
    kill: {
      api: () => restart('api'),
      worker: () => restart('worker'),
      async postmaster() {
        await postgres.kill()
        link.lead(await postgres.start())
      },
    },
  }
  return { cell, key: opened.key }
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

type Add = (child: ChildProcess) => ChildProcess

const routerEnv = (directoryUrl: string, data: string) => ({
  ...process.env,
  ...{ ICOSA_DIRECTORY_URL: directoryUrl, ICOSA_DATA: data, ICOSA_DRAIN_MS: '0', ICOSA_FUNCTIONS_DOMAIN: 'none' },
})

async function startRoute(add: Add, directoryUrl: string, data: string): Promise<RouterProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    const child = add(
      spawn(process.execPath, [cli, 'route', '--port', String(port)], {
        env: routerEnv(directoryUrl, data),
        stdio: 'ignore',
      }),
    )
    await answers(child, url)
    return child
  }
  let child = await start()
  return {
    url,
    async kill() {
      await end(child)
      child = await start()
    },
  }
}

/** HAProxy, and the process that updates it. */
async function startFollowed(
  stack: AsyncDisposableStack,
  add: Add,
  directoryUrl: string,
  folder: string,
): Promise<RouterProcess> {
  const port = await freePort()
  const start = async () => {
    const child = add(
      spawn(process.execPath, [cli, 'route', '--haproxy', folder, '--follow', '--port', String(port)], {
        env: routerEnv(directoryUrl, folder),
        stdio: ['ignore', 'ignore', 'pipe'],
      }),
    )
    let lines = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lines += text
    })
    while (!lines.includes('Wrote ')) {
      if (child.exitCode !== null) throw new Error(lines)
      await sleep(20)
    }
    return child
  }
  let child = await start()
  const haproxy = stack.use(await startHaproxy(folder, port))
  return {
    url: haproxy.url,
    async kill() {
      await end(child)
      await haproxy.restart()
      child = await start()
    },
  }
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  const isUp = () =>
    fetch(`${url}/_icosa/router/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error('The router has ended.')
    await sleep(20)
  }
}
