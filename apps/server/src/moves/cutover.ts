import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isRefusal, type MoveState, setTenantState } from '@icosa/kernel'
import type { MoveCell, Route } from './cell.ts'
import { stateIn } from './check-store.ts'
import { currentPosition, hasSubscription, isApplying, slotState, unsubscribe } from './replication.ts'

/** The move cannot go on. It is undone. */
export class MoveFailed extends Error {}

export interface MoveLimits {
  /** How much of its log the source may keep for a move. Beyond it, the move is cancelled. */
  readonly maxKeptBytes: number
  /** How long writes may wait for the copy to catch up, and how often that is tried. */
  readonly maxPauseMs: number
  readonly maxPauses: number
}

export const moveLimits: MoveLimits = { maxKeptBytes: 8 * 2 ** 30, maxPauseMs: 4_000, maxPauses: 10 }

/** Rows go from one cell to the other, through a publication and slot there and a subscription here, of one name. */
export interface Direction {
  readonly from: MoveCell
  readonly to: MoveCell
  readonly name: string
}

const path: readonly MoveState[] = ['active', 'copying', 'fenced', 'moved']

/** Brings a tenant through the states of ADR 93 up to `to`, from wherever it is. */
export async function advance(database: Database, tenant: string, to: MoveState, cell: string): Promise<void> {
  const from = path.indexOf((await stateIn(database, tenant)) as MoveState)
  for (const state of path.slice(from, path.indexOf(to) + 1)) await setTenantState(database, tenant, state, cell)
}

/** Lets a tenant be written again in a cell that it was about to leave. */
export async function stay(database: Database, tenant: string): Promise<void> {
  const state = (await stateIn(database, tenant)) as MoveState
  if (state === 'active' || state === 'moved') return
  await setTenantState(database, tenant, state, '') // drops gates that a killed mover has left
  await setTenantState(database, tenant, 'active', '')
}

const pollMs = 5

/** Waits until everything that is committed now has been applied, at most for so long. */
export async function catchUp(
  { from, to, name }: Direction,
  { maxKeptBytes }: MoveLimits,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const position = await currentPosition(from.database)
  const until = performance.now() + maxMs
  for (;;) {
    const slot = await slotState(from.database, name, position)
    if (slot?.isThere) return true
    if (!slot || slot.isLost || slot.keptBytes > maxKeptBytes)
      throw new MoveFailed(`${to.name} follows too slowly: ${from.name} would have had to keep too much of its log.`)
    if (!(await isApplying(to.database, name)))
      throw new MoveFailed(`${to.name} could not apply a row: its log says why, by the name ${name}.`)
    if (performance.now() > until) return false
    await sleep(pollMs)
  }
}

export interface DrainOptions {
  readonly tenant: string
  readonly route: Route
  readonly limits: MoveLimits
  /** Copies what replication does not, while nothing is written. False if it has to be tried again. */
  readonly finish: () => Promise<boolean>
  /** Undoes `finish`, before writes go on. */
  readonly reopen: () => Promise<void>
}

/**
 * Excludes writes, and ends the replication once it has caught up: without a subscription, it has. Returns false if that
 * took too long; the tenant may then be written again.
 */
export async function drain(
  direction: Direction,
  { tenant, route, limits, ...outside }: DrainOptions,
): Promise<boolean> {
  await route.hold(tenant)
  const isDrained =
    (await isFenced(direction, tenant)) && (await outside.finish()) && (await endReplication(direction, limits))
  if (isDrained) return true
  await outside.reopen()
  await stay(direction.from.database, tenant)
  await route.release(tenant)
  return false
}

async function isFenced({ from, to }: Direction, tenant: string): Promise<boolean> {
  try {
    await advance(from.database, tenant, 'fenced', to.name)
    return true
  } catch (error) {
    if (isRefusal(error)) return false // a transaction has been writing for too long
    throw error
  }
}

async function endReplication(direction: Direction, limits: MoveLimits): Promise<boolean> {
  const { to, name } = direction
  if (await hasSubscription(to.database, name)) {
    if (!(await catchUp(direction, limits, limits.maxPauseMs))) return false
    await currentPosition(to.database) // flushes it
    await unsubscribe(to.database, name)
  }
  return true
}

/** The tenant lives in the other cell from here on. Writers of the first are excluded before those of the second begin. */
export async function activate({ from, to }: Direction, tenant: string, route: Route): Promise<void> {
  await advance(from.database, tenant, 'moved', to.name)
  await setTenantState(to.database, tenant, 'active', '')
  await route.switch(tenant, to.name)
}
