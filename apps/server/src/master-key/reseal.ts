import { setTimeout as sleep } from 'node:timers/promises'
import { type CellVault, type Database, type Db, Failure, type Keys, type SealedColumn } from '@icosa/kernel'
import type { Retry } from './retry.ts'
import * as store from './store.ts'

export interface Progress {
  readonly column: string
  readonly done: number
  readonly of: number
}

/** A value that cannot be decrypted in its context: damaged, or moved from another row. */
export interface Unopened {
  readonly column: string
  readonly context: string
}

export interface Resealing {
  readonly database: Database
  readonly retry: Retry
  readonly vault: CellVault
  /** ID of the data key under which `vault` seals what belongs to the cell. */
  readonly target: string
  /** Whose values to re-encrypt; all by default. */
  readonly tenant?: string | undefined
  readonly onProgress: (progress: Progress) => void
}

/** Some hundred rows: bounds how long a concurrent writer waits. */
const blocksPerBatch = 8

export const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`

/**
 * Seals the values of a column under the newest keys of their owners: the tenants, or the cell. Scans the table in
 * physical order, which needs neither index nor sort, and can be interrupted at any time, since each value names its key.
 * Rows that are locked, or that moved to blocks already scanned, are left to the next scan. Returns the values that
 * cannot be decrypted.
 */
export async function reseal(work: Resealing, column: SealedColumn): Promise<Unopened[]> {
  const { database, retry, onProgress } = work
  const of = await retry(() => countOutdated(work, column))
  if (of === 0) return []
  const unopened: Unopened[] = []
  let done = 0
  for (const range of await retry(() => store.ranges(database, valuesOf(work, column), blocksPerBatch))) {
    const batch = await retry(() => resealBlocks(work, column, range))
    unopened.push(...batch.unopened)
    done += batch.done
    if (batch.done > 0) onProgress({ column: nameOf(column), done, of })
  }
  return unopened
}

const valuesOf = ({ target, tenant }: Resealing, column: SealedColumn): store.Outdated => ({ column, target, tenant })

/** Number of values not sealed under the newest key of their owner. */
export const countOutdated = (work: Resealing, column: SealedColumn): Promise<number> =>
  store.countOutdated(work.database, valuesOf(work, column))

async function resealBlocks(work: Resealing, column: SealedColumn, range: store.Blocks) {
  const rewrite = async (db: Db) => {
    const values = await store.lockBlocks(db, valuesOf(work, column), range)
    const unopened: Unopened[] = []
    const fresh: { at: string; sealed: Buffer }[] = []
    for (const { at, sealed, context, tenant } of values) {
      const keys = tenant === null ? work.vault : await work.vault.of(tenant, db)
      const secret = tryOpen(keys, sealed, context)
      if (secret === undefined) unopened.push({ column: nameOf(column), context })
      else if (secret !== later) fresh.push({ at, sealed: keys.seal(secret, context) })
    }
    if (fresh.length > 0) await store.replace(db, column, range, fresh)
    return { done: fresh.length, unopened }
  }
  return work.database.transaction(rewrite, work.tenant)
}

/** Its key is being loaded: the next scan opens it. */
const later = Symbol('later')

function tryOpen(keys: Keys, sealed: Buffer, context: string): string | typeof later | undefined {
  try {
    return keys.open(sealed, context)
  } catch (error) {
    return error instanceof Failure && error.kind === 'unavailable' ? later : undefined
  }
}

/** Rows that were locked or written meanwhile are left to another scan of the tables. */
const walksLimit = 5
const betweenWalksMs = 1_000

export interface Resealed {
  /** Number of values still sealed under other keys, except those that cannot be decrypted. */
  readonly left: number
  readonly unopened: readonly Unopened[]
}

export async function resealAll(work: Resealing, columns: readonly SealedColumn[]): Promise<Resealed> {
  for (let walk = 1; ; walk++) {
    const unopened: Unopened[] = []
    for (const column of columns) unopened.push(...(await reseal(work, column)))
    let left = -unopened.length
    for (const column of columns) left += await work.retry(() => countOutdated(work, column))
    if (left <= 0 || walk === walksLimit) return { left: Math.max(left, 0), unopened }
    await sleep(betweenWalksMs)
  }
}
