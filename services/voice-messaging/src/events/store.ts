import { type Db, sql } from '@icosa/kernel'
import type { Assignment } from '../event-destinations/store.ts'

export interface EventRow {
  readonly tenant: string
  readonly callId: string
  readonly number: number
  readonly id: string
  readonly type: string
  readonly set: string | null
  readonly body: object
  readonly at: Date
}

const eventRows = (events: readonly EventRow[]) => sql`
  rows from (jsonb_to_recordset(${JSON.stringify(events)}) as (tenant text, "callId" uuid, number int, id uuid,
    type text, set text, body jsonb, at timestamptz)) with ordinality
    as event(tenant, call_id, number, id, type, set_name, body, at, nth)`

/** Inserts events, and a delivery for every subscribed destination, in the same order. */
export async function insert(db: Db, events: readonly EventRow[], now: Date): Promise<void> {
  await db.run(sql`
    insert into voice_messaging.events (tenant, call_id, number, id, type, body, happened_at)
    select tenant, call_id, number, id, type, body, at from ${eventRows(events)}`)
  // Locked until the commit: a job that finds no more deliveries checks under the same lock.
  await db.run(sql`
    select 1 from voice_messaging.event_destinations where (tenant, set_name) in
      (select tenant, set_name from ${eventRows(events)}) and enabled order by tenant, id for no key update`)
  await db.run(sql`
    insert into voice_messaging.deliveries (tenant, destination_id, call_id, event_number, created_at)
    select destination.tenant, destination.id, call_id, number, ${now}
    from ${eventRows(events)} join voice_messaging.event_destinations as destination
      on destination.tenant = event.tenant and destination.set_name = event.set_name
    where destination.enabled and event.type = any(destination.event_types)
    order by nth`)
}

/** Assigns jobs to the destinations of these events that have deliveries and no assignment. */
export function assign(db: Db, events: readonly EventRow[]): Promise<Assignment[]> {
  return db.many(sql`
    update voice_messaging.event_destinations as destination set delivery = gen_random_uuid()
    where (tenant, set_name) in (select tenant, set_name from ${eventRows(events)}) and enabled and delivery is null
      and ${hasDeliveries}
    returning tenant, id as destination, delivery`)
}

/** Assigns jobs to destinations whose jobs failed for good. */
export function assignAbandoned(db: Db, limit: number): Promise<Assignment[]> {
  return db.many(sql`
    update voice_messaging.event_destinations as destination set delivery = gen_random_uuid()
    where (tenant, id) in (
      select tenant, id from voice_messaging.event_destinations as destination
      where enabled and delivery is null and ${hasDeliveries} limit ${limit} for no key update skip locked)
    returning tenant, id as destination, delivery`)
}

const hasDeliveries = sql`exists (
  select 1 from voice_messaging.deliveries
  where deliveries.tenant = destination.tenant and deliveries.destination_id = destination.id)`
