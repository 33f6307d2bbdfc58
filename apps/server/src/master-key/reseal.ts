import type { Database, SealedColumn } from '@icosa/kernel'
import { cipher } from '@icosa/tokens'
import type { Retry } from './retry.ts'
import * as store from './store.ts'

export interface Progress {
  readonly column: string
  readonly done: number
  readonly of: number
}

/** A value that does not open in its context: it was damaged, or moved there from another row. */
export interface Unopened {
  readonly column: string
  readonly context: string
}

export interface Resealing {
  readonly database: Database
  readonly retry: Retry
  /** By their ids. */
  readonly keys: ReadonlyMap<string, cipher.Key>
  readonly target: cipher.Key
  readonly onProgress: (progress: Progress) => void
}

/** Some hundred rows: for so long may somebody wait who wants to write one of them. */
const blocksAtOnce = 8

export const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`

/**
 * Seals the values of a column under one data key. It walks through the table as it lies on disk, which takes neither
 * index nor order, and it can be ended at any moment: a value that is done says so itself. Rows that others hold, or that
 * moved to where it has been, are left to the next walk. Answers what does not open.
 */
export async function reseal(work: Resealing, column: SealedColumn): Promise<Unopened[]> {
  const { database, retry, target, onProgress } = work
  const of = await retry(() => countOthers(work, column))
  if (of === 0) return []
  const unopened: Unopened[] = []
  let done = 0
  for (const { name: part, blocks } of await retry(() => store.parts(database, column))) {
    for (let from = 0; from < blocks; from += blocksAtOnce) {
      const range = { part, from, to: from + blocksAtOnce, target: target.id }
      const batch = await retry(() => resealBlocks(work, column, range))
      unopened.push(...batch.unopened)
      done += batch.done
      if (batch.done > 0) onProgress({ column: nameOf(column), done, of })
    }
  }
  return unopened
}

/** Values that are sealed under other data keys. */
export async function countOthers({ database, target }: Resealing, column: SealedColumn): Promise<number> {
  const others = (await store.counts(database, column)).filter(({ id }) => id !== target.id)
  return others.reduce((sum, { values }) => sum + values, 0)
}

function resealBlocks({ database, keys, target }: Resealing, column: SealedColumn, range: store.Blocks) {
  return database.transaction(async (db) => {
    const found = await store.lockBlocks(db, column, range)
    const unopened: Unopened[] = []
    const fresh = found.flatMap(({ at, sealed, context }) => {
      const secret = opened(keys, sealed, context)
      if (secret) return [{ at, sealed: cipher.seal(target, secret, context) }]
      unopened.push({ column: nameOf(column), context })
      return []
    })
    if (fresh.length > 0) await store.replace(db, column, range, fresh)
    return { done: fresh.length, unopened }
  })
}

function opened(keys: Resealing['keys'], sealed: Buffer, context: string): Buffer | undefined {
  const key = keys.get(cipher.sealedUnder(sealed))
  try {
    return key && cipher.unseal(key, sealed, context)
  } catch {
    return undefined
  }
}
