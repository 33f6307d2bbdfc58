import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { promisify } from 'node:util'
import { cpuUsOf } from './figures.ts'

const run = promisify(execFile)
const otherCore = cpus().length > 1 ? '1' : '0'

export interface Server {
  readonly child: ChildProcess
  readonly url: string
}

/** A server in its own process on the first core; the load generator uses the other. */
export async function startServer(file: URL, args: readonly string[]): Promise<Server> {
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const [url] = await once(child, 'message')
  if (cpus().length > 1) execFileSync('taskset', ['-apc', '0', String(child.pid)], { stdio: 'ignore' })
  return { child, url: String(url) }
}

export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Sends GETs as fast as they are answered; throws on any response that is no success. */
export async function load({ child, url }: Server, { connections, seconds, path, headers }: Load) {
  const before = cpuUsOf(child.pid)
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...lines]
  const { stdout } = await run('taskset', ['-c', otherCore, 'wrk', ...options, url + path])
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (/Non-2xx/.test(stdout) || !requests) throw new Error(`${url} answered with errors:\n${stdout}`)
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  return { perSecond, cpuUs: (cpuUsOf(child.pid) - before) / requests }
}
