/** A Node process that listens on a unix socket, bare and in each runtime: start-up time, call latency, stop time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { findRuntimes, openSandbox, type RuntimeName, systemBinds } from '@icosa/sandbox'
import { latencyOf } from '@icosa/testing'
import { type Figure, latencies, median, record } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const calls = 500
const server = `require('http').createServer((_, reply) => reply.end('ok')).listen(process.argv[1])`
const limits = { memoryBytes: 256 * 2 ** 20, processes: 64, diskBytes: 2 ** 24, outputBytes: 2 ** 20, wallMs: 600_000 }
const state = mkdtempSync('/tmp/sandbox-')
const binds = [...systemBinds(), { from: process.execPath, to: '/node' }]

/** A running server. */
interface Started {
  readonly path: string
  stop(): Promise<unknown>
}

async function call(socketPath: string, agent = new Agent()): Promise<void> {
  const outgoing = request({ agent, socketPath, path: '/' }).end()
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  await reply.toArray()
}

const isUp = (path: string) =>
  call(path).then(
    () => true,
    () => false,
  )

async function bare(): Promise<Started> {
  const path = `${state}/bare`
  rmSync(path, { force: true })
  const child = spawn(process.execPath, ['-e', server, path])
  while (!(await isUp(path))) await delay(5)
  const stop = () => {
    child.kill('SIGKILL')
    return once(child, 'exit')
  }
  return { path, stop }
}

async function sandboxed(runtime: RuntimeName): Promise<Started> {
  const sandbox = await openSandbox({ runtime, state, onError: console.error })
  const running = await sandbox.start({ argv: ['/node', '-e', server, '/sockets/http'], binds, listens: true, limits })
  return { path: await running.socket('http'), stop: () => running.stop().then(() => sandbox.close()) }
}

async function measure(start: () => Promise<Started>) {
  const begun = performance.now()
  const { path, stop } = await start()
  const up = performance.now() - begun
  const agent = new Agent({ keepAlive: true })
  const { p50, p99 } = await latencyOf(calls, () => call(path, agent))
  agent.destroy()
  const stopped = performance.now()
  await stop()
  return { up, p50, p99, gone: performance.now() - stopped }
}

const ways: Record<string, () => Promise<Started>> = { 'bare process': bare }
for (const { name, version } of await findRuntimes()) if (version) ways[`${name} ${version}`] = () => sandboxed(name)

const figures: Figure[] = []
for (const [name, start] of Object.entries(ways)) {
  try {
    const all: Awaited<ReturnType<typeof measure>>[] = []
    for (let round = 0; round < rounds; round++) all.push(await measure(start))
    const of = (key: 'up' | 'p50' | 'p99' | 'gone') => median(all.map((one) => one[key]))
    const [up, p50, p99, gone] = [of('up'), of('p50'), of('p99'), of('gone')]
    figures.push(
      { name: `${name}, start until it listens`, value: up, unit: 'ms' },
      ...latencies(`${name}, call`, { p50, p99 }),
      { name: `${name}, stop`, value: gone, unit: 'ms' },
    )
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`) // a runtime that this machine does not allow
  }
}
record(figures)
rmSync(state, { recursive: true, force: true })
