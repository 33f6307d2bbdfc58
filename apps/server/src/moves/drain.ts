import { type Database, isRefusal } from '@icosa/kernel'
import type { Labels } from '../cells/cell.ts'
import { drainCell, findRoom, tenantsToMove } from '../cells/store.ts'
import type { MoveCells } from './cell.ts'
import { type MoveOptions, moveTenant } from './move.ts'
import { routeOf } from './route.ts'
import { type Move, openMove, openMovesFrom } from './store.ts'

export interface DrainOptions extends Pick<MoveOptions, 'limits'> {
  readonly directory: Database
  readonly cell: string
  /** Of the cells to which its tenants may move. */
  readonly labels: Labels
  /** Those of a move under way, or for one to a cell. What they open is closed with the stack. */
  readonly cellsOf: (stack: AsyncDisposableStack, tenant: string, to: string | undefined) => Promise<MoveCells>
  readonly say: (line: string) => void
}

/** A tenant that is still in the cell, or whose move there is not finished. */
export interface Left {
  readonly tenant: string
  readonly reason: string
}

export interface Drained {
  readonly moved: number
  readonly left: readonly Left[]
}

/**
 * Moves all tenants of a cell to the least loaded others, one after the other, and finishes each move whose tables are
 * equal: a way back would keep the log of the target. Tenants that cannot move are passed over. After an outage or a
 * kill, the next call continues.
 */
export async function drainTenants(options: DrainOptions): Promise<Drained> {
  const { directory, cell, say } = options
  await drainCell(directory, cell)
  const tenants = [...new Set([...(await openMovesFrom(directory, cell)), ...(await tenantsToMove(directory, cell))])]
  const left: Left[] = []
  for (const [index, tenant] of tenants.entries()) {
    const report = (outcome: string) => say(`[${index + 1}/${tenants.length}] ${tenant}: ${outcome}`)
    const { state, target, detail } = await moveAway(options, tenant).catch(passedOver)
    if (state === 'finished') {
      report(`moved to ${target}`)
      continue
    }
    left.push({ tenant, reason: detail })
    report(`left, ${detail}`)
  }
  return { moved: tenants.length - left.length, left }
}

type Outcome = Pick<Move, 'target' | 'detail'> & { readonly state: Move['state'] | 'refused' }

/** Another tenant may have more luck, unless the database is away. */
function passedOver(error: unknown): Outcome {
  if (!isRefusal(error)) throw error
  return { state: 'refused', target: '', detail: error.message }
}

async function moveAway(options: DrainOptions, tenant: string): Promise<Outcome> {
  const { directory, cell, labels, cellsOf, limits } = options
  await using stack = new AsyncDisposableStack()
  const open = await openMove(directory, tenant)
  if (open && open.source !== cell) return refused(`its move to ${cell} is ${open.state}: finish it first`)
  const target = open?.target ?? (await findRoom(directory, labels))?.name
  if (target === undefined) return refused('no other active cell with the labels has room')
  const cells = await cellsOf(stack, tenant, target)
  const moving = { directory, cells, route: routeOf(directory), tenant, ...(limits && { limits }) }
  const move = await moveTenant(moving)
  if (move.state === 'cancelled' && open?.state === 'cancelling') return moveAway(options, tenant)
  if (move.state === 'returned') return moveAway(options, tenant)
  if (move.state !== 'reversible') return { ...move, detail: move.detail || move.state }
  if (move.isEqual === true) return await moveTenant(moving, 'finish')
  return { ...move, detail: `${move.detail}: decide between --finish and --back` }
}

const refused = (detail: string): Outcome => ({ state: 'refused', target: '', detail })
