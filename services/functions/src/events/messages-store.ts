import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { type Attributes, type Event, messageIdOf } from './event.ts'
import { insertInOrder, type OrderedKey } from './ordered-store.ts'
import type { DeliveryKey } from './store.ts'

/** Stores messages with one reference each, which the fan-out releases once it has created all deliveries. */
export async function insert(db: Db, tenant: string, events: readonly Event[], now: Date): Promise<void> {
  await db.run(sql`
    insert into functions.messages (tenant, id, topic, ordering_key, attributes, data, bytes, created_at)
    select ${tenant}, id, topic, ordering_key, attributes::jsonb, data, octet_length(data), ${now}
    from unnest(${events.map(messageIdOf)}::text[], ${events.map(({ topic }) => topic ?? null)}::text[],
      ${events.map(({ orderingKey }) => orderingKey ?? null)}::text[],
      ${events.map(({ attributes }) => JSON.stringify(attributes))}::text[],
      ${events.map(({ data }) => data)}::text[]) as made(id, topic, ordering_key, attributes, data)`)
}

/** Size of a tenant's undelivered messages. */
export async function storedBytes(db: ReadingDb, tenant: string): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select coalesce(sum(bytes), 0)::float8 as bytes from functions.messages where tenant = ${tenant}`)
  return bytes
}

export interface Envelope {
  readonly id: string
  readonly topic: string | undefined
  readonly attributes: Attributes
}

/** Everything but the data, to select the recipients. */
export async function envelopes(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<Envelope[]> {
  const rows = await db.many<Envelope & { topic: string | null }>(sql`
    select id, topic, attributes from functions.messages where tenant = ${tenant} and id = any(${ids})`)
  return rows.map((row) => ({ ...row, topic: row.topic ?? undefined }))
}

/** Data of a message, as JSON. */
export async function data(db: ReadingDb, tenant: string, id: string): Promise<string> {
  const message = sql`select data from functions.messages where tenant = ${tenant} and id = ${id}`
  return (await db.one<{ data: string }>(message)).data
}

/** Adds deliveries of stored messages; `id` is that of the message. Returns those to attempt now. */
export async function addDeliveries(
  db: Db,
  tenant: string,
  deliveries: readonly OrderedKey[],
  now: Date,
): Promise<DeliveryKey[]> {
  const ids = deliveries.map(({ id }) => id)
  const due = await insertInOrder(
    db,
    tenant,
    deliveries,
    sql`
    select rows.*, m.attributes, null::jsonb as data, ${now}::timestamptz as created_at
    from rows join functions.messages m on m.tenant = rows.tenant and m.id = rows.id`,
  )
  await addRefs(db, tenant, ids, 1)
  return due
}

/** Releases one reference per id, and deletes messages without references. */
export async function release(db: Db, tenant: string, ids: readonly string[]): Promise<void> {
  await addRefs(db, tenant, ids, -1)
  await db.run(sql`
    delete from functions.messages where tenant = ${tenant} and id = any(${ids}) and refs = 0`)
}

/** Locks in the order of ids, to prevent deadlocks. */
async function addRefs(db: Db, tenant: string, ids: readonly string[], each: 1 | -1): Promise<void> {
  await db.run(sql`
    with counted as (select id, count(*)::int as count from unnest(${ids}::text[]) as ids(id) group by id),
    locked as (
      select id, count from functions.messages join counted using (id) where tenant = ${tenant} order by id
      for update of messages)
    update functions.messages m set refs = m.refs + ${each}::int * locked.count
    from locked where m.tenant = ${tenant} and m.id = locked.id`)
}
