import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHead } from '@icosa/kernel'
import { freePort } from '@icosa/testing'
import type { Named } from '../../tenants/named.ts'
import type { RoutingRule } from '../../tenants/routing.ts'
import { writeConfiguration } from '../haproxy/configuration.ts'
import { writeTable } from '../table/file.ts'
import { emptySnapshot } from '../table/table.ts'

export interface TestHaproxy extends AsyncDisposable {
  readonly url: string
  /** Ends and starts the process. */
  restart(): Promise<void>
}

/** Starts HAProxy with the configuration in a folder. */
export async function startHaproxy(folder: string, port: number): Promise<TestHaproxy> {
  const start = async () => {
    const child = spawn('haproxy', ['-db', '-q', '-f', join(folder, 'haproxy.cfg')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let problems = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problems += text
    })
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/_icosa/router/healthz`).then(
        () => true,
        () => false,
      )
    while (!(await isUp())) {
      if (child.exitCode !== null) throw new Error(`HAProxy has ended:\n${problems}`)
      await sleep(20)
    }
    return child
  }
  let child = await start()
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await stop()
      child = await start()
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Asks HAProxy what requests name their tenant by, as `nameOf` writes it. */
export async function haproxyNaming(rules: readonly RoutingRule[]) {
  const stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'icosa-haproxy-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const port = await freePort()
  await writeTable(join(folder, 'routes'), emptySnapshot)
  await writeFile(join(folder, 'overlay.map'), '')
  await writeConfiguration({ folder, address: { host: '127.0.0.1', port }, rules, cells: [], trustedProxies: 0 })
  const file = join(folder, 'haproxy.cfg')
  const answering = '  http-request return status 200 content-type text/plain lf-string "%[var(txn.named),hex]"'
  await writeFile(file, (await readFile(file, 'utf8')).replace('  http-request lua.icosa_locate', answering))
  stack.use(await startHaproxy(folder, port))
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  stack.defer(() => agent.destroy())
  return {
    async ask({ host, target, headers: all }: RequestHead): Promise<string> {
      const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !ofConnection.has(name)))
      const sent = request({ port, agent, path: target, headers: { ...headers, host } }).end()
      const [response] = await once(sent, 'response')
      const text: string = (await response.setEncoding('latin1').toArray()).join('')
      return response.statusCode === 200 ? Buffer.from(text, 'hex').toString() : `status ${response.statusCode}`
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Headers without a meaning for a request that has no body. */
const ofConnection = new Set(['connection', 'content-length', 'expect', 'transfer-encoding', 'upgrade'])

export const nameOf = (named: Named | undefined): string =>
  named && 'value' in named ? `${named.by}:${named.value}` : (named?.by ?? 'home')
