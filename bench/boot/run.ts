/** How long a packaged node with twenty services of fifty operations takes to start, and what it holds while it is idle. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@icosa/testing'
import { bundle } from '../../scripts/bundle.ts'
import { median } from '../figures.ts'
import { syntheticServices } from './services.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const idleMs = 1_000 * Number(process.env.BENCH_SECONDS ?? 5)
const goal = { bootMs: 1_000, idleMb: 150 }
const services = 20
const operations = 50

const folder = await mkdtemp(join(tmpdir(), 'icosa-boot-'))
await bundle({ start: fileURLToPath(new URL('start.ts', import.meta.url)) }, join(folder, 'dist'))
await using database = await createTestDatabase(syntheticServices(services, operations))
await boot(0) // fills the cache of compiled code, as the first start of every installation does
const booted: Booted[] = []
for (let round = 0; round < rounds; round++) booted.push(await boot(idleMs))
await rm(folder, { recursive: true })

const of = (figure: keyof Booted) => median(booted.map((one) => one[figure]))
console.log(`\n${services} services of ${operations} operations, packaged, median of ${rounds} starts\n`)
console.log(`ready after      ${of('bootMs').toFixed(0).padStart(5)} ms   goal ${goal.bootMs}`)
console.log(`CPU until ready  ${of('cpuMs').toFixed(0).padStart(5)} ms`)
console.log(`memory, idle     ${of('idleMb').toFixed(0).padStart(5)} MB   goal ${goal.idleMb}`)
process.exitCode = of('bootMs') <= goal.bootMs && of('idleMb') <= goal.idleMb ? 0 : 1

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
