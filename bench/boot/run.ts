/** Start-up time of a packaged node with twenty services of fifty operations, and its memory while idle. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@icosa/testing'
import { bundle } from '../../scripts/bundle.ts'
import { median, record } from '../figures.ts'
import { syntheticServices } from './services.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const idleMs = 1_000 * Number(process.env.BENCH_SECONDS ?? 5)
const goal = { bootMs: 1_000, idleMb: 150 }
const services = 20
const operations = 50

const folder = await mkdtemp(join(tmpdir(), 'icosa-boot-'))
await bundle({ start: fileURLToPath(new URL('start.ts', import.meta.url)) }, join(folder, 'dist'))
await using database = await createTestDatabase(syntheticServices(services, operations))
await boot(0) // fills the compile cache, as the first start of every installation does
const booted: Booted[] = []
for (let round = 0; round < rounds; round++) booted.push(await boot(idleMs))
await rm(folder, { recursive: true })

const of = (figure: keyof Booted) => median(booted.map((one) => one[figure]))
record([
  { name: 'packaged node ready', value: of('bootMs'), unit: 'ms', goal: { atMost: goal.bootMs } },
  { name: 'packaged node ready, CPU', value: of('cpuMs'), unit: 'ms' },
  { name: 'memory of the idle node', value: of('idleMb'), unit: 'MB', goal: { atMost: goal.idleMb } },
])

interface Booted {
  readonly bootMs: number
  readonly cpuMs: number
  readonly idleMb: number
}

async function boot(forMs: number): Promise<Booted> {
  const began = performance.now()
  const child = fork(join(folder, 'dist/start.js'), [database.url, folder, String(services), String(operations)])
  const [{ routes, cpuMs }] = await once(child, 'message')
  const bootMs = performance.now() - began
  if (routes < services * operations) throw new Error(`Only ${routes} routes are served.`)
  await sleep(forMs)
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  const idleMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  child.disconnect()
  await once(child, 'exit')
  return { bootMs, cpuMs, idleMb }
}
