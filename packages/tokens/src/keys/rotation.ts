import { type CellVault, type Clock, type Database, type Db, lockName } from '@icosa/kernel'
import { generateKeys } from './generate.ts'
import * as store from './store.ts'

/** A database, or the context of a job. */
export type Transactions = Pick<Database, 'transaction'>

export interface RotationOptions {
  /** How long new keys are published before they sign, so that caches have them. Default: 1 hour. */
  readonly publishAheadMs?: number | undefined
  /**
   * How long old keys stay published after that, longer than any token lives. Default: 24 hours. With 0 for both,
   * tokens of the old keys are refused immediately: for a stolen key.
   */
  readonly overlapMs?: number | undefined
}

const hourMs = 3_600_000

/** Creates the first keys if there are none. Safe to run on several nodes concurrently. */
export async function ensureSigningKeys(database: Transactions, clock: Clock, cellVault: CellVault): Promise<void> {
  await locked(database, async (db) => {
    if ((await store.newestCreatedAt(db)) === undefined) await add(db, clock.now(), cellVault, { publishAheadMs: 0 })
  })
}

/** Creates new keys, and withdraws the old ones after a while. */
export async function rotateSigningKeys(
  database: Transactions,
  clock: Clock,
  cellVault: CellVault,
  options: RotationOptions = {},
): Promise<void> {
  await locked(database, (db) => add(db, clock.now(), cellVault, options))
}

/** Rotates if the newest keys are older than that. Returns whether it did. */
export async function rotateWhenDue(
  database: Transactions,
  clock: Clock,
  cellVault: CellVault,
  { everyMs, ...options }: RotationOptions & { readonly everyMs: number },
): Promise<boolean> {
  return locked(database, async (db) => {
    const now = clock.now()
    const newest = await store.newestCreatedAt(db)
    const due = newest !== undefined && newest.getTime() + everyMs <= now.getTime()
    if (due) await add(db, now, cellVault, options)
    return due
  })
}

/** Deletes withdrawn keys. Returns their number. */
export async function pruneSigningKeys(db: Db, clock: Clock): Promise<number> {
  return store.deleteWithdrawn(db, clock.now())
}

function locked<T>(database: Transactions, work: (db: Db) => Promise<T>): Promise<T> {
  return database.transaction(async (db) => {
    await lockName(db, 'icosa signing keys')
    return work(db)
  })
}

async function add(
  db: Db,
  now: Date,
  cellVault: CellVault,
  { publishAheadMs = hourMs, overlapMs = 24 * hourMs }: RotationOptions,
): Promise<void> {
  const signsFrom = new Date(now.getTime() + publishAheadMs)
  await store.withdrawAll(db, new Date(signsFrom.getTime() + overlapMs))
  await store.insertGeneration(db, { keys: await generateKeys(cellVault), createdAt: now, signsFrom })
}
