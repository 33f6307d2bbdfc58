/** Requests to a cell directly, through HAProxy and through `icosa route`; memory and start at a million tenants. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { example, freePort } from '@icosa/testing'
import { writeConfiguration } from '../../apps/server/src/router/haproxy/configuration.ts'
import { rulesIn } from '../../apps/server/src/router/rules.ts'
import { writeTable } from '../../apps/server/src/router/table/file.ts'
import { emptySnapshot, placeBytes, RouteTable } from '../../apps/server/src/router/table/table.ts'
import { routingOf } from '../../apps/server/src/tenants/routing.ts'
import { cpuUsOf, type Figure, median, record } from '../figures.ts'
import { startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const tenants = Number(process.env.BENCH_TENANTS ?? 1_000_000)
const connections = 32
const memoryGoalMb = 40
const startGoalS = 1.6

const execute = promisify(execFile)
const cli = new URL('../../apps/server/bin/icosa.js', import.meta.url).pathname
const folder = await mkdtemp(join(tmpdir(), 'icosa-router-'))
const cell = await startServer(new URL('cell.ts', import.meta.url), [])
const tag = 'abcdefghjkmn'
const authorization = `icosa_${tag}_${'x'.repeat(43)}`
const rules = [...(await rulesIn({})).slice(0, -1), ...routingOf([example])]
const figures: Figure[] = []

const [small, large] = [await tableOf(0), await tableOf(tenants)]
for (const [name, start] of [
  ['icosa route', startRoute],
  ['HAProxy', startHaproxy],
] as const) {
  const [few, many] = [await measureStart(start, small), await measureStart(start, large)]
  const size = `${tenants.toLocaleString('en')} tenants`
  figures.push(
    { name: `${name}: memory for ${size}`, value: many.mb - few.mb, unit: 'MB', goal: { atMost: memoryGoalMb } },
    { name: `${name}: memory of the process with ${size}`, value: many.mb, unit: 'MB' },
    { name: `${name}: CPU until it has started with ${size}`, value: many.cpuS, unit: 's' },
    { name: `${name}: start with ${size}`, value: many.seconds, unit: 's', goal: { atMost: startGoalS } },
    { name: `${name}: start with one tenant`, value: few.seconds, unit: 's' },
  )
}

const [haproxy, route] = [await startHaproxy(large), await startRoute(large)]
const targets = { direct: cell, HAProxy: haproxy, 'icosa route': route }
const samples: { name: string; perSecond: number; cpuUs: number; p50: number; p99: number }[] = []
for (const target of Object.values(targets)) await load(target, 1)
for (let round = 1; round <= rounds; round++) {
  for (const [name, target] of Object.entries(targets)) samples.push({ name, ...(await load(target, seconds)) })
  process.stderr.write(`round ${round} of ${rounds}\n`)
}
for (const name of Object.keys(targets)) {
  const of = (figure: 'perSecond' | 'cpuUs' | 'p50' | 'p99') =>
    median(samples.filter((sample) => sample.name === name).map((sample) => sample[figure]))
  const title = name === 'direct' ? 'the cell itself' : `through ${name}`
  figures.push(
    { name: `requests ${title}`, value: of('perSecond'), unit: '/s' },
    { name: `latency ${title}`, statistic: 'p50', value: of('p50'), unit: 'ms' },
    { name: `latency ${title}`, statistic: 'p99', value: of('p99'), unit: 'ms' },
    { name: `CPU of a request, ${name === 'direct' ? 'the cell itself' : name}`, value: of('cpuUs'), unit: 'µs' },
  )
}
for (const { child } of Object.values(targets)) child.kill('SIGKILL')
await rm(folder, { recursive: true })
record(figures)

/** A folder with a table of one tenant and many more. */
async function tableOf(count: number): Promise<string> {
  const directory = join(folder, String(count))
  await mkdir(directory)
  const random = new BigUint64Array(2 * count)
  for (let at = 0; at < random.length; at += 8_192) crypto.getRandomValues(random.subarray(at, at + 8_192))
  const places = Buffer.alloc(random.length * placeBytes)
  for (const [row, key] of random.sort().entries()) places.writeBigUInt64BE(key >> 1n, row * placeBytes)
  const table = new RouteTable({ ...emptySnapshot, places })
  table.apply([
    { version: '1', kind: 'cell', name: 'a', url: cell.url, isHome: true, isRemoved: false },
    { version: '2', kind: 'tenant', tag, tenant: 'bench', cell: 'a', isHeld: false, isRemoved: false },
  ])
  const { cells } = table
  await writeTable(join(directory, 'routes'), table.snapshot())
  await writeFile(join(directory, 'overlay.map'), '')
  const address = { host: '127.0.0.1', port: await freePort() }
  await writeConfiguration({ folder: directory, address, rules, cells, trustedProxies: 0 })
  return directory
}

async function startRoute(directory: string) {
  const port = await freePort()
  const env = { ...process.env, ICOSA_DIRECTORY_URL: 'postgres://127.0.0.1:1/away', ICOSA_DATA: directory }
  return started(spawn(process.execPath, [cli, 'route', '--port', String(port)], { env, stdio: 'ignore' }), port)
}

async function startHaproxy(directory: string) {
  const file = join(directory, 'haproxy.cfg')
  const port = Number(/bind [^:]*:(\d+)/.exec(await readFile(file, 'utf8'))?.[1])
  return started(spawn('haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' }), port)
}

/** On the first core, as the cell is; the load generator uses the other. */
async function started(child: ChildProcess, port: number) {
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/_icosa/router/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} has ended.`)
    await sleep(10)
  }
  if (cpus().length > 1) execFileSync('taskset', ['-apc', '0', String(child.pid)], { stdio: 'ignore' })
  return { child, url }
}

/** The least memory of some starts, since garbage adds to it. */
async function measureStart(start: typeof startRoute, directory: string) {
  await stop(await start(directory)) // reads files once
  const runs: { seconds: number; cpuS: number; mb: number }[] = []
  for (let run = 0; run < rounds; run++) {
    const began = performance.now()
    const running = await start(directory)
    const seconds = (performance.now() - began) / 1_000
    const cpuS = cpuUsOf(running.child.pid) / 1e6
    await fetch(running.url, { headers: { authorization } })
    await sleep(1_000)
    const status = await readFile(`/proc/${running.child.pid}/status`, 'utf8')
    await stop(running)
    runs.push({ seconds, cpuS, mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_000 })
  }
  return {
    seconds: median(runs.map((run) => run.seconds)),
    cpuS: median(runs.map((run) => run.cpuS)),
    mb: Math.min(...runs.map(({ mb }) => mb)),
  }
}

async function stop({ child }: { child: ChildProcess }): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function load({ child, url }: { child: ChildProcess; url: string }, duration: number) {
  const before = cpuUsOf(child.pid)
  const options = ['-t1', `-c${connections}`, `-d${duration}s`, '--latency', '-H', `x-api-key: ${authorization}`]
  const core = cpus().length > 1 ? '1' : '0'
  const { stdout } = await execute('taskset', ['-c', core, 'wrk', ...options, `${url}/example/notes/a`])
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (/Non-2xx/.test(stdout) || !requests) throw new Error(`${url} answered with errors:\n${stdout}`)
  const percentile = (name: string) => {
    const [, value, unit] = new RegExp(`${name}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? []
    return Number(value) * { us: 0.001, ms: 1, s: 1_000 }[unit as 'ms']
  }
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    cpuUs: (cpuUsOf(child.pid) - before) / requests,
    p50: percentile('50'),
    p99: percentile('99'),
  }
}
