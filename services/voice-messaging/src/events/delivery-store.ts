import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { DestinationKind } from '../event-destinations/destination.ts'
import type { Assignment } from '../event-destinations/store.ts'

export interface DeliveryDestination {
  readonly kind: DestinationKind
  readonly arn: string
  readonly enabled: boolean
}

const isAssigned = ({ tenant, destination, delivery }: Assignment) =>
  sql`tenant = ${tenant} and id = ${destination} and delivery = ${delivery}`

/** Returns undefined if the destination was deleted or reassigned. */
export function find(db: ReadingDb, assignment: Assignment): Promise<DeliveryDestination | undefined> {
  return db.maybe(
    sql`select kind, arn, enabled from voice_messaging.event_destinations where ${isAssigned(assignment)}`,
  )
}

export interface PendingEvent {
  readonly number: string
  readonly id: string
  readonly body: object
}

export function next(db: ReadingDb, { tenant, destination }: Assignment, limit: number): Promise<PendingEvent[]> {
  return db.many(sql`
    select delivery.number, event.id, event.body
    from voice_messaging.deliveries as delivery join voice_messaging.events as event
      on event.tenant = delivery.tenant and event.call_id = delivery.call_id and event.number = delivery.event_number
    where delivery.tenant = ${tenant} and delivery.destination_id = ${destination}
    order by delivery.number limit ${limit}`)
}

export async function removeDelivered(
  db: Db,
  { tenant, destination }: Assignment,
  numbers: readonly string[],
): Promise<void> {
  await db.run(sql`
    delete from voice_messaging.deliveries
    where tenant = ${tenant} and destination_id = ${destination} and number = any(${numbers}::bigint[])`)
}

/** Ends the assignment. Returns false if there are new events. */
export async function finish(db: Db, assignment: Assignment): Promise<boolean> {
  // Two statements, so that the second sees writes of the previous lock owner.
  await db.run(sql`select 1 from voice_messaging.event_destinations where ${isAssigned(assignment)} for no key update`)
  const updated = await db.run(sql`
    update voice_messaging.event_destinations as destination set delivery = null
    where ${isAssigned(assignment)} and (not enabled or not exists (
      select 1 from voice_messaging.deliveries
      where deliveries.tenant = destination.tenant and deliveries.destination_id = destination.id))`)
  return updated === 1
}

/** Ends the assignment of a job that failed for good. */
export async function abandon(db: Db, assignment: Assignment): Promise<void> {
  await db.run(sql`update voice_messaging.event_destinations set delivery = null where ${isAssigned(assignment)}`)
}
