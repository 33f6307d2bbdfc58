import { isRefusal } from '@icosa/kernel'
import { differentBlobs, removeBlobs, syncBlobs } from './blobs.ts'
import type { MoveCell } from './cell.ts'
import { servicesIn, stateIn } from './check-store.ts'
import { blockers } from './checks.ts'
import { type Comparison, compare, openSnapshot } from './compare.ts'
import { activate, advance, catchUp, drain, MoveFailed, type MoveLimits, stay } from './cutover.ts'
import { back, draining, forth, type Moving, outside, tablesOf } from './moving.ts'
import { continueTransactions, interleave, raiseSequences, renumberTimers } from './numbers.ts'
import type { Side } from './outside.ts'
import * as replication from './replication.ts'
import { copyLastRows, copyRows, removeRows } from './rows.ts'
import type { State, Step } from './store.ts'

/** The work of each state, which may be repeated wherever it was stopped. */
export const steps: Readonly<Partial<Record<State, (moving: Moving) => Promise<Step>>>> = {
  checking: check,
  copying: copy,
  following: follow,
  fenced: cutOver,
  switched: settle,
  finishing: finish,
  returning: goBack,
  cancelling: cancel,
}

async function check({ cells, move }: Moving): Promise<Step> {
  const problems = await blockers(cells, move.tenant)
  return problems.length > 0 ? { state: 'failed', detail: problems.join('\n') } : { state: 'copying' }
}

async function copy(moving: Moving): Promise<Step> {
  const { cells, move, limits, say } = moving
  const { source, target } = cells
  const { tenant } = move
  const { name } = forth(moving)
  await advance(target.database, tenant, 'moved', source.name)
  for (const { database, number } of [source, target]) await interleave(database, number)
  await renumberTimers(source.database, tenant)
  await advance(source.database, tenant, 'copying', target.name)
  const tables = await tablesOf(moving)
  await replication.unsubscribe(target.database, name)
  await replication.dropSlot(source.database, name)
  await replication.publish(source.database, name, tables)
  await removeRows(target.database, tables, tenant)
  await carry(moving, source, target)
  await replication.createSlot(source.databaseUrl, name, async (snapshot) => {
    const databases = { source: source.database, target: target.database }
    const onPage = () => demandSlot(source, name, limits)
    const rows = await copyRows(databases, tables, { tenant, snapshot, onPage }).catch(asFailure)
    say(`Copied ${rows} rows of ${tables.length} tables.`)
  })
  await replication.subscribe(target.database, name, source.databaseUrl)
  return { state: 'following' }
}

/** A key that cannot be carried stays so. */
async function carry({ cells, move }: Moving, from: MoveCell, to: MoveCell): Promise<void> {
  try {
    await cells.carryKeys?.(from, to, move.tenant)
  } catch (error) {
    if (isRefusal(error)) throw new MoveFailed(error.message, { cause: error })
    throw error
  }
}

async function demandSlot({ database, name }: MoveCell, slot: string, { maxKeptBytes }: MoveLimits): Promise<void> {
  const state = await replication.slotState(database, slot, '0/0')
  if (!state || state.isLost || state.keptBytes > maxKeptBytes)
    throw new MoveFailed(`The copy takes too long: ${name} would have had to keep too much of its log.`)
}

/** A row that the target does not take stays so. */
function asFailure(error: unknown): never {
  if (/^23/.test(String((error as { code?: unknown }).code)))
    throw new MoveFailed(`A row could not be copied: ${(error as Error).message}.`, { cause: error })
  throw error
}

/** Copies blobs, prepares the way back, and follows until writes would wait for a moment only. */
async function follow(moving: Moving): Promise<Step> {
  const { cells, move, limits } = moving
  const { source, target, blobs } = cells
  const { name } = back(moving)
  await replication.publish(target.database, name, await tablesOf(moving))
  while (!(await replication.ensureSlot(target.database, name))) await demandSlot(source, forth(moving).name, limits)
  if (blobs) await syncBlobs(blobs.source, blobs.target, move.tenant, await servicesIn(source.database))
  await outside(moving).copy('source')
  await raiseSequences(source.database, target.database)
  while (!(await catchUp(forth(moving), limits, limits.maxPauseMs / 8)));
  await replication.skipToEnd(target.database, name)
  return { state: 'fenced' }
}

/** Leaves both cells without a writer, and equal. */
async function cutOver(moving: Moving): Promise<Step> {
  const { cells, move, memory } = moving
  const { source, target, blobs } = cells
  memory.pausedAt ??= performance.now()
  if (!(await drain(forth(moving), draining(moving, 'source')))) return waitLonger(moving)
  if (blobs) await syncBlobs(blobs.source, blobs.target, move.tenant, await servicesIn(source.database))
  await Promise.all([raiseSequences(source.database, target.database), copyLast(moving, source, target)])
  await continueTransactions(source.database, target.database, move.tenant)
  await carry(moving, source, target)
  // What was copied must not come back. Nothing else was written there: the tenant has not been active.
  while (!(await replication.ensureSlot(target.database, back(moving).name)));
  await replication.skipToEnd(target.database, back(moving).name)
  memory.snapshots = { source: await openSnapshot(source.database), target: await openSnapshot(target.database) }
  return { state: 'switched' }
}

async function waitLonger(moving: Moving): Promise<Step> {
  const { memory, limits, say, move, cells } = moving
  delete memory.pausedAt
  memory.pauses++
  const reason = outside(moving).delay ?? `${cells.target.name} did not catch up.`
  if (memory.pauses === limits.maxPauses)
    throw new MoveFailed(`${memory.pauses} pauses of writes were too short: try again when there are fewer. ${reason}`)
  await advance(cells.source.database, move.tenant, 'copying', cells.target.name)
  say(`The copy did not catch up in time: writes go on in the meantime. ${reason}`)
  return { state: 'following' }
}

async function settle(moving: Moving): Promise<Step> {
  const { cells, move, route, memory } = moving
  await activate(forth(moving), move.tenant, route)
  await outside(moving).open('target')
  const paused =
    memory.pausedAt === undefined ? '' : `, writes waited for ${Math.round(performance.now() - memory.pausedAt)} ms`
  const compared = await compareCells(moving)
  await replication.dropSlot(cells.source.database, forth(moving).name)
  await replication.subscribe(cells.source.database, back(moving).name, cells.target.databaseUrl)
  await replication.unpublish(cells.source.database, forth(moving).name, await tablesOf(moving))
  const summary = compared
    ? [inWords(compared), ...outside(moving).summaries].join(', ')
    : 'not compared, as the mover was stopped at the switch'
  return {
    state: 'reversible',
    detail: `${summary}${paused}`,
    ...(compared && { isEqual: compared.different.length === 0 }),
  }
}

/** Undefined if another process has made the switch. */
async function compareCells(moving: Moving): Promise<Comparison | undefined> {
  const { cells, move, memory } = moving
  const { snapshots } = memory
  if (!snapshots) return undefined
  try {
    const { source } = cells
    const rows = await compare(snapshots.source, snapshots.target, await tablesOf(moving))
    if (!cells.blobs) return rows
    const blobs = await differentBlobs(cells.blobs, move.tenant, await servicesIn(source.database))
    return { ...rows, different: [...rows.different, ...blobs.different] }
  } finally {
    await Promise.all([snapshots.source.close(), snapshots.target.close()])
    delete memory.snapshots
  }
}

const inWords = ({ tables, rows, different }: Comparison) =>
  different.length === 0
    ? `${tables} tables with ${rows} rows are equal`
    : `${different.length} of ${tables} tables or blobs differ: ${different.slice(0, 10).join(', ')}`

async function finish(moving: Moving): Promise<Step> {
  const { move } = moving
  await endWayBack(moving)
  await forget(moving, 'source')
  return { state: 'finished', ...(move.isEqual === false && { detail: `${move.detail}; finished nevertheless` }) }
}

async function goBack(moving: Moving): Promise<Step> {
  const { cells, move, route } = moving
  const { target } = cells
  // Otherwise both were done before, and the source may have been written since.
  if ((await stateIn(target.database, move.tenant)) !== 'moved') {
    const obstacle = await drainBack(moving)
    if (obstacle !== undefined) {
      await outside(moving).open('target')
      await stay(target.database, move.tenant)
      await route.release(move.tenant)
      return { state: 'reversible', detail: obstacle }
    }
  }
  await activate(back(moving), move.tenant, route)
  await outside(moving).open('source')
  await endWayBack(moving)
  await forget(moving, 'target')
  return { state: 'returned' }
}

/** Returns why it could not be done. */
async function drainBack(moving: Moving): Promise<string | undefined> {
  const { cells, move, limits } = moving
  const { source, target, blobs } = cells
  const direction = back(moving)
  // A mover that was killed after the replication had ended continues here.
  const isFollowed = await replication.hasSubscription(source.database, direction.name)
  const isCaughtUp = !isFollowed && (await stateIn(target.database, move.tenant)) === 'fenced'
  try {
    // The target may have crashed since, which broke the connection.
    if (isFollowed) await replication.resume(source.database, direction.name)
    if (!isCaughtUp) await outside(moving).copy('target')
    if (!isCaughtUp) await catchUp(direction, limits)
    if (!(await drain(direction, draining(moving, 'target'))))
      return `${source.name} did not catch up, or something was in use: try again when there are fewer writes and jobs`
  } catch (error) {
    if (error instanceof MoveFailed) return error.message
    throw error
  }
  if (blobs) await syncBlobs(blobs.target, blobs.source, move.tenant, await servicesIn(target.database))
  await Promise.all([raiseSequences(target.database, source.database), copyLast(moving, target, source)])
  await continueTransactions(target.database, source.database, move.tenant)
  await carry(moving, target, source)
  return undefined
}

const copyLast = async (moving: Moving, { database: source }: MoveCell, { database: target }: MoveCell) =>
  copyLastRows({ source, target }, await tablesOf(moving), moving.move.tenant)

async function cancel(moving: Moving): Promise<Step> {
  const { move, route } = moving
  const { name, from, to } = forth(moving)
  await moving.memory.snapshots?.source.close()
  await moving.memory.snapshots?.target.close()
  await replication.unsubscribe(to.database, name)
  await replication.dropSlot(from.database, name)
  await replication.unpublish(from.database, name, await tablesOf(moving))
  await endWayBack(moving)
  await outside(moving).open('source')
  await stay(from.database, move.tenant)
  await route.release(move.tenant)
  await advance(to.database, move.tenant, 'moved', from.name)
  await forget(moving, 'target')
  return { state: 'cancelled' }
}

async function endWayBack(moving: Moving): Promise<void> {
  const { from, to, name } = back(moving)
  await replication.unsubscribe(to.database, name)
  await replication.dropSlot(from.database, name)
  await replication.unpublish(from.database, name, await tablesOf(moving))
}

/** Deletes the tenant in a cell that it has left, or has never reached. */
async function forget(moving: Moving, side: Side): Promise<void> {
  const { cells, move } = moving
  const { database } = cells[side]
  await outside(moving).forget(side) // found by rows
  await removeRows(database, await tablesOf(moving), move.tenant)
  if (cells.blobs) await removeBlobs(cells.blobs[side], move.tenant, await servicesIn(database))
}
