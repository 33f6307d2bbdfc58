import { createHmac, randomBytes } from 'node:crypto'
import { type Database, type Db, join, lockName, raw, sql } from '../db/db.ts'
import { Failure } from '../errors.ts'
import { type Key, keyOf, seal, unseal } from './cipher.ts'
import type { SealedColumn } from './sealed.ts'

/** A key that the platform made for itself, as its row has it. */
export interface DataKey {
  readonly purpose: 'seal' | 'derive'
  readonly id: string
  /** The id of the master key that came first when it was made. */
  readonly madeFor: string
  readonly inUse: boolean
  /** By the id of each master key that opens it. */
  readonly wrapped: Readonly<Record<string, string>>
}

/** The keys of ICOSA_MASTER_KEY in their order. They encrypt data keys and nothing else. */
export type MasterKeys = readonly [Key, ...Key[]]

export function masterKeysOf(list: readonly Uint8Array[]): MasterKeys {
  for (const key of list) if (key.length !== 32) throw new Failure('invalid', 'A master key has 32 bytes.')
  const [first, ...others] = list.map(keyOf)
  if (!first) throw new Failure('invalid', 'Set ICOSA_MASTER_KEY to a key of 32 bytes in base64.')
  return [first, ...others]
}

/** The oldest first. */
export const read = (db: Db): Promise<DataKey[]> =>
  db.many(sql`
    select purpose, id, made_for as "madeFor", used_from <= clock_timestamp() as "inUse", wrapped
    from icosa.data_keys order by generation`)

/** Whoever changes data keys does it alone. */
export const lock = (db: Db) => lockName(db, 'icosa data keys')

// Not the master key itself: in a database that is older than data keys, that is one of them.
const wrapping = ({ bytes }: Key) => keyOf(createHmac('sha256', bytes).update('icosa wrapping').digest())
const placeOf = ({ purpose, id }: Pick<DataKey, 'purpose' | 'id'>) => `data key ${purpose} ${id}`

/** Undefined if none of the master keys opens it. */
export function unwrap(row: DataKey, masters: MasterKeys): Key | undefined {
  for (const master of masters) {
    const text = row.wrapped[master.id]
    if (text === undefined) continue
    return { id: row.id, bytes: unseal(wrapping(master), Buffer.from(text, 'base64'), placeOf(row)) }
  }
  return undefined
}

export function wrap(key: Key, purpose: DataKey['purpose'], masters: readonly Key[]): DataKey['wrapped'] {
  const text = (master: Key) => seal(wrapping(master), key.bytes, placeOf({ purpose, id: key.id })).toString('base64')
  return Object.fromEntries(masters.map((master) => [master.id, text(master)]))
}

export interface NewDataKey {
  readonly purpose: DataKey['purpose']
  readonly key?: Key
  readonly madeFor: string
  /** Those that open it. */
  readonly masters: readonly Key[]
  readonly aheadMs?: number
}

export async function add(db: Db, { purpose, madeFor, masters, ...rest }: NewDataKey): Promise<void> {
  const { key = keyOf(randomBytes(32)), aheadMs = 0 } = rest
  await db.run(sql`
    insert into icosa.data_keys (purpose, id, made_for, used_from, wrapped)
    values (${purpose}, ${key.id}, ${madeFor}, clock_timestamp() + ${aheadMs} * interval '1 ms',
      ${wrap(key, purpose, masters)})`)
}

export type ListSealed = () => readonly SealedColumn[] | Promise<readonly SealedColumn[]>

/** The data keys of this database, which its first node makes. Any number may start at once. */
export async function ensure(database: Database, masters: MasterKeys, sealed: ListSealed): Promise<DataKey[]> {
  const known = await read(database)
  if (known.length > 0) return known
  const columns = await sealed()
  return database.transaction(async (db) => {
    await lock(db)
    if ((await read(db)).length === 0) await makeFirst(db, masters, columns)
    return read(db)
  })
}

async function makeFirst(db: Db, masters: MasterKeys, sealed: readonly SealedColumn[]): Promise<void> {
  const { adopt } = await db.one<{ adopt: boolean }>(sql`select master_keys as adopt from icosa.data_key_origin`)
  if (adopt) await checkComplete(db, masters, sealed)
  const shared = { madeFor: masters[0].id, masters }
  // What master keys sealed and signed before stays valid: they become data keys, the first one as the newest.
  const keys = adopt ? masters.toReversed() : [keyOf(randomBytes(32))]
  for (const key of keys) await add(db, { ...shared, purpose: 'seal', key })
  await add(db, { ...shared, purpose: 'derive', ...(adopt && { key: masters[0] }) })
}

async function checkComplete(db: Db, masters: MasterKeys, sealed: readonly SealedColumn[]): Promise<void> {
  const known = join(masters.map(({ id }) => id))
  for (const { table, column } of await existing(db, sealed)) {
    const found = await db.maybe<{ id: string }>(sql`
      select id from (select encode(substring(${raw(column)} from 1 for 4), 'hex') as id from ${raw(table)}) as used
      where id not in (${known}) limit 1`)
    if (found)
      throw new Failure(
        'invalid',
        `Secrets in ${table} are sealed under the master key ${found.id}, which ICOSA_MASTER_KEY does not have: add that older key to its end, after a comma.`,
      )
  }
}

/** Those whose tables are in this database: a service may never have been here. */
export async function existing(db: Db, sealed: readonly SealedColumn[]): Promise<SealedColumn[]> {
  const found: SealedColumn[] = []
  for (const column of sealed)
    if (await db.maybe(sql`select 1 where to_regclass(${column.table}) is not null`)) found.push(column)
  return found
}

/** The ids of the master keys that open the database. */
export const opening = (rows: readonly DataKey[]) => [...new Set(rows.flatMap(({ wrapped }) => Object.keys(wrapped)))]

/** Why these master keys do not open the database, and what to do. */
export function misfit(rows: readonly DataKey[], masters: MasterKeys): Failure {
  const given = masters.map(({ id }) => id)
  const wasReplaced = given.some((id) => rows.some((row) => row.madeFor === id || row.id === id))
  const advice = wasReplaced
    ? 'It was replaced by `icosa master-key rotate`: set the new one.'
    : 'Set that one. To replace it, put the new key before it and run `icosa master-key rotate`.'
  const message = `ICOSA_MASTER_KEY is ${given.join(', ')}, but this database opens with ${opening(rows).join(', ')}.`
  return new Failure('invalid', `${message} ${advice}`)
}
