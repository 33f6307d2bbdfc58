import { createHmac, randomBytes } from 'node:crypto'
import { type Database, type Db, Failure, type ReadingDb, type SealedColumn } from '@icosa/kernel'
import { type Key, keyOf, seal, unseal } from './cipher.ts'
import type { DataKey } from './store.ts'
import * as store from './store.ts'

export { type DataKey, existing, lock, read } from './store.ts'

/** The keys of ICOSA_MASTER_KEY in order. They only encrypt data keys (envelope encryption). */
export type MasterKeys = readonly [Key, ...Key[]]

export function masterKeysOf(list: readonly Uint8Array[]): MasterKeys {
  for (const key of list) if (key.length !== 32) throw new Failure('invalid', 'A master key must be 32 bytes long.')
  const [first, ...others] = list.map(keyOf)
  if (!first) throw new Failure('invalid', 'Set ICOSA_MASTER_KEY to a key of 32 bytes in base64.')
  return [first, ...others]
}

// Not the master key itself: in a database older than data keys, that is one of them.
const wrapping = ({ bytes }: Key) => keyOf(createHmac('sha256', bytes).update('icosa wrapping').digest())
const contextOf = ({ purpose, id }: Pick<DataKey, 'purpose' | 'id'>) => `data key ${purpose} ${id}`

/** Returns undefined if none of the master keys unwraps it. */
export function unwrap(row: DataKey, masters: MasterKeys): Key | undefined {
  const master = masters.find(({ id }) => id in row.wrapped)
  return master && keyOf(unseal(wrapping(master), Buffer.from(row.wrapped[master.id] ?? '', 'base64'), contextOf(row)))
}

export function wrap(key: Key, purpose: DataKey['purpose'], masters: readonly Key[]): DataKey['wrapped'] {
  const text = (master: Key) => seal(wrapping(master), key.bytes, contextOf({ purpose, id: key.id })).toString('base64')
  return Object.fromEntries(masters.map((master) => [master.id, text(master)]))
}

export interface NewDataKey {
  readonly purpose: DataKey['purpose']
  readonly key?: Key
  readonly madeFor: string
  /** Master keys that can unwrap it. */
  readonly masters: readonly Key[]
  /** How long all nodes have it before its first use. */
  readonly aheadMs?: number
}

export async function add(db: Db, { purpose, madeFor, masters, ...rest }: NewDataKey): Promise<void> {
  const { key = keyOf(randomBytes(32)), aheadMs = 0 } = rest
  await store.insert(db, { purpose, id: key.id, madeFor, wrapped: wrap(key, purpose, masters) }, aheadMs)
}

export type ListSealed = () => readonly SealedColumn[] | Promise<readonly SealedColumn[]>

/** Returns the data keys of this database, which its first node creates. Safe to run concurrently. */
export async function ensure(database: Database, masters: MasterKeys, sealed: ListSealed): Promise<DataKey[]> {
  const rows = await store.read(database)
  if (rows.length > 0) return rows
  return database.transaction(async (db) => {
    await store.lock(db)
    if ((await store.read(db)).length === 0) await createFirst(db, masters, sealed)
    return store.read(db)
  })
}

async function createFirst(db: Db, masters: MasterKeys, sealed: ListSealed): Promise<void> {
  const isOlder = await store.isOlderThanDataKeys(db)
  if (isOlder) await checkComplete(db, masters, await sealed())
  const shared = { madeFor: masters[0].id, masters }
  // Data sealed and signed by master keys before stays valid: they become data keys, the first one as the newest.
  const keys = isOlder ? masters.toReversed() : [keyOf(randomBytes(32))]
  for (const key of keys) await add(db, { ...shared, purpose: 'seal', key })
  await add(db, { ...shared, purpose: 'derive', ...(isOlder && { key: masters[0] }) })
}

async function checkComplete(db: ReadingDb, masters: MasterKeys, sealed: readonly SealedColumn[]): Promise<void> {
  const ids = masters.map(({ id }) => id)
  for (const column of await store.existing(db, sealed)) {
    const missing = await store.otherKey(db, column, ids)
    if (missing === undefined) continue
    throw new Failure(
      'invalid',
      `Secrets in ${column.table} are sealed under the master key ${missing}, which ICOSA_MASTER_KEY does not have: add that older key to its end, after a comma.`,
    )
  }
}

/** IDs of the master keys that open the database. */
export const opening = (rows: readonly DataKey[]) => [...new Set(rows.flatMap(({ wrapped }) => Object.keys(wrapped)))]

/** Explains why these master keys do not open the database, with advice. */
export function misfit(rows: readonly DataKey[], masters: MasterKeys): Failure {
  const ids = masters.map(({ id }) => id)
  const wasReplaced = ids.some((id) => rows.some((row) => row.madeFor === id || row.id === id))
  const advice = wasReplaced
    ? 'It was replaced by `icosa master-key rotate`: set the new one.'
    : 'Set that one. To replace it, put the new key before it and run `icosa master-key rotate`.'
  const message = `ICOSA_MASTER_KEY is ${ids.join(', ')}, but this database opens with ${opening(rows).join(', ')}.`
  return new Failure('invalid', `${message} ${advice}`)
}
