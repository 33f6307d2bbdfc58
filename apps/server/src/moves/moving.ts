import type { MoveCells, Route } from './cell.ts'
import type { Snapshot } from './compare.ts'
import type { Direction, DrainOptions, MoveLimits } from './cutover.ts'
import { type Outside, outsideOf, type Side } from './outside.ts'
import type { Move } from './store.ts'
import { type MovedTable, movedTables } from './tables.ts'

/** A move under way. */
export interface Moving {
  readonly move: Move
  readonly cells: MoveCells
  readonly route: Route
  readonly limits: MoveLimits
  readonly say: (line: string) => void
  /** Of this process, and lost with it. */
  readonly memory: Memory
}

export interface Memory {
  pauses: number
  pausedAt?: number
  /** Of both cells, which have the same migrations. */
  tables?: Promise<readonly MovedTable[]>
  outside?: Outside
  /** Of both cells, when neither was written. */
  snapshots?: { readonly source: Snapshot; readonly target: Snapshot }
}

export const forth = ({ move, cells }: Moving): Direction => ({
  from: cells.source,
  to: cells.target,
  name: `icosa_move_${move.id}`,
})
export const back = ({ move, cells }: Moving): Direction => ({
  from: cells.target,
  to: cells.source,
  name: `icosa_back_${move.id}`,
})

export const tablesOf = ({ move, cells, memory }: Moving): Promise<readonly MovedTable[]> => {
  memory.tables ??= movedTables(cells.source.database, move.tenant, cells.carryKeys !== undefined)
  return memory.tables
}

export const outside = ({ move, cells, memory }: Moving): Outside => {
  memory.outside ??= outsideOf(cells, move.tenant)
  return memory.outside
}

/** Behind the fence of the cell that the tenant leaves. */
export const draining = (moving: Moving, from: Side): DrainOptions => ({
  tenant: moving.move.tenant,
  route: moving.route,
  limits: moving.limits,
  finish: () => outside(moving).finish(from),
  reopen: () => outside(moving).open(from),
})
