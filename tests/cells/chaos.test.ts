import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { seededBelow, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { Request } from '../../apps/server/src/moves/move.ts'
import { finalStates, type Move, openMove, type State } from '../../apps/server/src/moves/store.ts'
import { leftovers, rowsOf } from '../../apps/server/src/moves/testing/writers.ts'
import { startPayers } from './payers.ts'
import { type CellsWorld, openCells, type PlacedCell, tenant } from './world.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const below = seededBelow(seed)
const moves = sized(2, 100)
const payments = sized(200, 100_000)
const maxAsked = 5

/** Where something is killed, and what may be. */
const states: readonly State[] = ['checking', 'copying', 'following', 'fenced', 'switched', 'finishing', 'returning']
const victims = [
  ...['mover', 'icosa route', 'HAProxy', 'directory'],
  ...['source node', 'source worker', 'source PostgreSQL', 'source link'],
  ...['target node', 'target worker', 'target PostgreSQL', 'target link'],
] as const
type Victim = (typeof victims)[number]

interface Ends {
  readonly source: PlacedCell
  readonly target: PlacedCell
}

async function kill({ routers, directoryLink }: CellsWorld, { source, target }: Ends, victim: Victim): Promise<void> {
  const cut = async (link: PlacedCell['link']) => {
    link.become('refusing')
    await sleep(500 + below(1_500))
    link.become('through')
  }
  if (victim === 'icosa route') return routers.route.kill()
  if (victim === 'HAProxy') return routers.haproxy.kill()
  if (victim === 'directory') return cut(directoryLink)
  const cell = victim.startsWith('source') ? source : target
  if (victim.endsWith('node')) return cell.kill.api()
  if (victim.endsWith('worker')) return cell.kill.worker()
  if (victim.endsWith('PostgreSQL')) return cell.kill.postmaster()
  if (victim.endsWith('link')) return cut(cell.link)
}

/** Runs movers until one has ended by itself; the first in the state loses what it is about to. */
async function moveOnce(world: CellsWorld, ends: Ends, request: Request | undefined, plan: Plan): Promise<Move> {
  for (;;) {
    let isHit = false
    let killing: Promise<void> | undefined
    const hit = async () => {
      await sleep(below(200))
      if (plan.victim === 'mover') mover.kill()
      else await kill(world, ends, plan.victim)
    }
    const mover = world.startMover(ends, {
      request,
      onLine(line) {
        if (plan.isDone || isHit || line !== `${tenant}: ${plan.state}`) return
        isHit = true
        plan.isDone = true
        killing = hit()
      },
    })
    const outcome = await mover.ended
    await killing
    if (outcome && 'state' in outcome) return outcome
    // The operator's wish was noted, unless the mover was killed before; then a repeated request has no effect.
    const open = await openMove(world.directory, tenant)
    if (request !== undefined && open?.state !== 'reversible') return moveOnce(world, ends, undefined, plan)
    await sleep(50)
  }
}

interface Plan {
  readonly state: State
  readonly victim: Victim
  isDone: boolean
}

test(`moves survive kills of mover, routers, nodes, workers and PostgreSQL (seed ${seed})`, async () => {
  await using world = await openCells()
  const { cells, directory } = world
  const payers = await startPayers(world)
  const ended = new Map<string, number>()
  let hits = 0
  for (let n = 0; n < moves; n++) {
    const source = await world.home()
    const target = cells[(source.number + below(2)) % cells.length] as PlacedCell
    const victim = victims[(n * 5 + seed) % victims.length] as Victim
    const plan: Plan = { state: states[below(states.length)] as State, victim, isDone: false }
    const request = plan.state === 'returning' || (plan.state !== 'finishing' && below(3) === 0) ? 'back' : 'finish'
    let { state, detail } = await moveOnce(world, { source, target }, undefined, plan)
    // A move stays as it was if the cell to return to does not catch up in time: the operator asks again.
    for (let asked = 0; state === 'reversible' && asked < maxAsked; asked++)
      ({ state, detail } = await moveOnce(world, { source, target }, request, plan))
    if (plan.isDone) hits++
    expect(finalStates, `${victim} at ${plan.state}: ${detail}`).toContain(state)
    expect(await openMove(directory, tenant)).toBeUndefined()
    ended.set(state, (ended.get(state) ?? 0) + 1)
    const home = await world.home()
    expect(home).toBe(state === 'finished' ? target : source)
    const other = home === source ? target : source
    expect(await leftovers({ cells: { source, target } } as never), `${victim} at ${plan.state}`).toEqual([])
    expect(await rowsOf(other.database, tenant)).toBe(0)
    const written = payers.acknowledged.size
    await expect.poll(() => payers.acknowledged.size).toBeGreaterThan(written + 5)
  }
  while (payers.acknowledged.size < payments) await sleep(50)
  await payers.stop()
  await payers.verify((await world.home()).database)
  for (const { database } of cells) {
    const locks = await database.many(sql`
      select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid() and not granted`)
    expect(locks).toEqual([])
  }
  // Clients saw nothing but what asks them to repeat: a broken connection, a gateway's answer, an outage.
  for (const { status } of payers.failed) expect([undefined, 502, 503]).toContain(status)
  console.log(
    `${hits} hits in ${moves} moves: ${JSON.stringify(Object.fromEntries(ended))}; ` +
      `${payers.acknowledged.size} payments, ${payers.failed.length} attempts failed`,
  )
})
