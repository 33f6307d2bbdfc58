import type { Database, SealedColumn } from '@icosa/kernel'
import { cipher } from '@icosa/tokens'
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
  /** Data keys by id. */
  readonly keys: ReadonlyMap<string, cipher.Key>
  readonly target: cipher.Key
  readonly onProgress: (progress: Progress) => void
}

/** Some hundred rows: bounds how long a concurrent writer waits. */
const blocksPerBatch = 8

export const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`

/**
 * Seals the values of a column under one data key. Scans the table in physical order, which needs neither index nor
 * sort, and can be interrupted at any time, since each value names its data key. Rows that are locked, or that moved
 * to blocks already scanned, are left to the next scan. Returns the values that cannot be decrypted.
 */
export async function reseal(work: Resealing, column: SealedColumn): Promise<Unopened[]> {
  const { database, retry, target, onProgress } = work
  const of = await retry(() => countOthers(work, column))
  if (of === 0) return []
  const unopened: Unopened[] = []
  let done = 0
  for (const { name: part, blocks } of await retry(() => store.parts(database, column))) {
    for (let from = 0; from < blocks; from += blocksPerBatch) {
      const range = { part, from, to: from + blocksPerBatch, target: target.id }
      const batch = await retry(() => resealBlocks(work, column, range))
      unopened.push(...batch.unopened)
      done += batch.done
      if (batch.done > 0) onProgress({ column: nameOf(column), done, of })
    }
  }
  return unopened
}

/** Number of values sealed under other data keys. */
export async function countOthers({ database, target }: Resealing, column: SealedColumn): Promise<number> {
  const others = (await store.counts(database, column)).filter(({ id }) => id !== target.id)
  return others.reduce((sum, { values }) => sum + values, 0)
}

function resealBlocks({ database, keys, target }: Resealing, column: SealedColumn, range: store.Blocks) {
  return database.transaction(async (db) => {
    const values = await store.lockBlocks(db, column, range)
    const unopened: Unopened[] = []
    const fresh = values.flatMap(({ at, sealed, context }) => {
      const secret = tryUnseal(keys, sealed, context)
      if (secret) return [{ at, sealed: cipher.seal(target, secret, context) }]
      unopened.push({ column: nameOf(column), context })
      return []
    })
    if (fresh.length > 0) await store.replace(db, column, range, fresh)
    return { done: fresh.length, unopened }
  })
}

function tryUnseal(keys: Resealing['keys'], sealed: Buffer, context: string): Buffer | undefined {
  const key = keys.get(cipher.sealedUnder(sealed))
  try {
    return key && cipher.unseal(key, sealed, context)
  } catch {
    return undefined
  }
}
