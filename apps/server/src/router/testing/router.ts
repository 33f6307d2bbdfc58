import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, sql } from '@icosa/kernel'
import { example } from '@icosa/testing'
import { changesSince, latestVersion } from '../../cells/store.ts'
import { createTestDirectory } from '../../cells/testing/directory.ts'
import { routingOf } from '../../tenants/routing.ts'
import { type FollowedTable, followDirectory } from '../follow.ts'
import { forwarder } from '../proxy/forward.ts'
import { cellFinder } from '../proxy/hold.ts'
import { startRouter } from '../proxy/server.ts'

export interface TestRouter extends AsyncDisposable {
  readonly url: string
  readonly directory: Database
  readonly followed: FollowedTable
  readonly file: string
}

export interface TestRouterOptions {
  /** Addresses by name; the first cell is the home. */
  readonly cells: Readonly<Record<string, string>>
  readonly trustedProxies?: number
}

/** A router for the example service with a directory of its own. */
export async function startTestRouter({ cells, trustedProxies = 0 }: TestRouterOptions): Promise<TestRouter> {
  const stack = new AsyncDisposableStack()
  const { database } = stack.use(await createTestDirectory())
  const folder = await mkdtemp(join(tmpdir(), 'icosa-router-'))
  stack.defer(() => rm(folder, { recursive: true }))
  for (const [index, [name, url]] of Object.entries(cells).entries()) await addCell(database, name, url, index === 0)
  const file = join(folder, 'routes')
  const followed = await followDirectory({
    read: (version, limit) => changesSince(database, version, limit),
    latest: () => latestVersion(database),
    file,
    say: () => {},
  })
  stack.defer(() => followed.close())
  const router = await startRouter({
    rules: routingOf([example]),
    followed,
    finder: cellFinder(followed),
    forwarder: forwarder(),
    trustedProxies,
    host: '127.0.0.1',
    port: 0,
    drainMs: 0,
  })
  stack.defer(() => router.close())
  return { url: router.url, directory: database, followed, file, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export const addCell = (database: Database, name: string, url: string, isHome: boolean) =>
  database.run(sql`
    insert into directory.cells (name, number, url, database_url, labels, capacity, state, is_home)
    values (${name}, nextval('directory.cell_numbers'), ${url}, 'postgres://none', '{}', 100, 'active', ${isHome})`)

export const addTenant = (database: Database, id: string, tag: string, cell: string) =>
  database.run(sql`insert into directory.tenants (id, tag, cell) values (${id}, ${tag}, ${cell})`)
