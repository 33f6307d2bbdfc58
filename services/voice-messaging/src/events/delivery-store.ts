import { type Db, sql } from '@icosa/kernel'
import type { DestinationKind } from '../event-destinations/destination.ts'
import type { Charge } from '../event-destinations/store.ts'

export interface Place {
  readonly kind: DestinationKind
  readonly arn: string
  readonly enabled: boolean
}

const mine = ({ tenant, destination, delivery }: Charge) =>
  sql`tenant = ${tenant} and id = ${destination} and delivery = ${delivery}`

/** The destination; undefined if it is gone, or if another job is in charge of it. */
export function find(db: Db, charge: Charge): Promise<Place | undefined> {
  return db.maybe(sql`select kind, arn, enabled from voice_messaging.event_destinations where ${mine(charge)}`)
}

export interface Waiting {
  readonly number: string
  readonly id: string
  readonly body: object
}

/** What it is to be told next. */
export function next(db: Db, { tenant, destination }: Charge, limit: number): Promise<Waiting[]> {
  return db.many(sql`
    select delivery.number, event.id, event.body
    from voice_messaging.deliveries as delivery join voice_messaging.events as event
      on event.tenant = delivery.tenant and event.call_id = delivery.call_id and event.number = delivery.event_number
    where delivery.tenant = ${tenant} and delivery.destination_id = ${destination}
    order by delivery.number limit ${limit}`)
}

export async function told(db: Db, { tenant, destination }: Charge, numbers: readonly string[]): Promise<void> {
  await db.run(sql`
    delete from voice_messaging.deliveries
    where tenant = ${tenant} and destination_id = ${destination} and number = any(${numbers}::bigint[])`)
}

/** Lays the charge down, unless something has come in the meantime. */
export async function rest(db: Db, charge: Charge): Promise<boolean> {
  // In two statements: the second one sees what was written by whoever held the lock before.
  await db.run(sql`select 1 from voice_messaging.event_destinations where ${mine(charge)} for no key update`)
  const left = await db.run(sql`
    update voice_messaging.event_destinations as destination set delivery = null
    where ${mine(charge)} and (not enabled or not exists (
      select 1 from voice_messaging.deliveries
      where deliveries.tenant = destination.tenant and deliveries.destination_id = destination.id))`)
  return left === 1
}

/** Lays it down whatever there is: for a job that died for good. */
export async function abandon(db: Db, charge: Charge): Promise<void> {
  await db.run(sql`update voice_messaging.event_destinations set delivery = null where ${mine(charge)}`)
}
