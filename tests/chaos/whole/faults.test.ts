import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { seededBelow } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { Cell } from './cell.ts'
import type { Progress } from './progress.ts'
import { openWorkingCell, reason } from './world.ts'

const minutes = Number(process.env.CHAOS_MINUTES ?? 30)
const seed = Number(process.env.CHAOS_SEED ?? 33)
const everyMs = 20_000
const aheadMs = 24 * 3_600_000
const backWithinMs = 30_000

/** The faults, each of which ends by itself. */
function faultsOf(cell: Cell, below: (limit: number) => number): Record<string, () => Promise<void>> {
  const any = () => cell.nodes[below(cell.nodes.length)] as Cell['nodes'][0]
  return {
    async kill() {
      const node = any()
      await node.kill()
      await node.start()
    },
    async pause() {
      const node = any()
      node.signal('SIGSTOP')
      await sleep(12_000)
      node.signal('SIGCONT')
    },
    async 'clock 24 h ahead'() {
      const node = any()
      await node.kill()
      await node.start({ clockAheadMs: aheadMs })
      await sleep(12_000)
      await node.kill()
      await node.start()
    },
    async 'full disk'() {
      await cell.fillDisk()
      await sleep(8_000)
      await cell.emptyDisk()
    },
    async 'no network'() {
      const node = any()
      node.network('silent')
      await sleep(8_000)
      node.network('through')
    },
    'kill PostgreSQL': () => cell.killPostgres(),
    'restart PgBouncer': () => cell.restartPooler(),
  }
}

interface Fault {
  readonly name: string
  readonly beganMs: number
  readonly endedMs: number
}

/** Time until a service works again after a fault, without the time during which other faults lasted. */
function recoveryMs(service: Progress, { endedMs }: Fault, faults: readonly Fault[]): number {
  const backMs = endedMs + service.backAfterMs(endedMs)
  const overlap = (other: Fault) => Math.max(0, Math.min(other.endedMs, backMs) - Math.max(other.beganMs, endedMs))
  return backMs - endedMs - faults.reduce((sum, other) => sum + overlap(other), 0)
}

/** Lost, doubled and refused units of a service, and recoveries that took too long. */
async function problemsOf(service: Progress, faults: readonly Fault[]): Promise<string[]> {
  const { journey, acknowledged, attempts, refusals, lastError } = service
  const [slowest] = faults
    .map((fault) => ({ name: fault.name, ms: recoveryMs(service, fault, faults) }))
    .toSorted((a, b) => b.ms - a.ms)
  const audited = (await journey.audit?.(acknowledged, attempts)) ?? []
  console.log(
    `${journey.service}: ${acknowledged.length} acknowledged in ${attempts} attempts, ${audited.length} lost or doubled, ` +
      `${refusals.length} refused, back within ${((slowest?.ms ?? 0) / 1_000).toFixed(1)} s (${slowest?.name}), longest unit ${(service.maxUnitMs / 1_000).toFixed(1)} s; last error: ${lastError.slice(0, 200)}`,
  )
  const isLate = slowest !== undefined && slowest.ms > backWithinMs
  return [...audited, ...refusals, ...(isLate ? [`back ${slowest.ms} ms after '${slowest.name}'`] : [])].map(
    (text) => `${journey.service}: ${text}`,
  )
}

test.skipIf(reason !== undefined)(
  `${minutes} minutes of faults in all services lose or double no acknowledged work${reason ? ` (not now: ${reason})` : ''}`,
  { timeout: (minutes + 30) * 60_000 },
  async () => {
    await using world = await openWorkingCell()
    const { cell, database, services } = world
    const below = seededBelow(seed)
    const faults = Object.entries(faultsOf(cell, below))
    const ended: Fault[] = []
    const endMs = performance.now() + minutes * 60_000
    while (performance.now() < endMs) {
      const nextMs = performance.now() + everyMs
      const choice = ended.length < faults.length ? ended.length : below(faults.length)
      const [name, fault] = faults[choice] as (typeof faults)[0]
      const beganMs = performance.now()
      await fault()
      ended.push({ name, beganMs, endedMs: performance.now() })
      console.log(`fault ${ended.length}: ${name}`)
      await sleep(Math.max(0, nextMs - performance.now()))
    }
    await sleep(backWithinMs)
    await world.rest()

    const problems: string[] = []
    for (const service of services) problems.push(...(await problemsOf(service, ended)))
    const open = sql`select service, kind from icosa.operations where status in ('pending', 'running')`
    const unfinished = () => database.many(open).catch(() => ['no database'])
    await expect.poll(unfinished, { timeout: 120_000, interval: 1_000 }).toEqual([])
    console.log(await cell.icosa('audit', 'verify'))
    const leftovers = await cell.stop()
    console.log(`${ended.length} faults; left behind: ${leftovers.join('; ') || 'nothing'}`)
    expect([...problems, ...leftovers]).toEqual([])
  },
)
