import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { EventContent, EventType } from './types.ts'

export async function hasSubscribers(db: ReadingDb, tenant: string, type: EventType): Promise<boolean> {
  const row = await db.maybe(sql`
    select from contribution_collection.subscriptions where tenant = ${tenant} and types @> array[${type}] limit 1`)
  return row !== undefined
}

export interface NewEvent {
  readonly type: EventType
  readonly contribution: string
  readonly assignment: string
  readonly owner: string
  readonly content: EventContent
}

export async function insertEvent(db: Db, tenant: string, event: NewEvent, at: Date): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    insert into contribution_collection.events (tenant, type, contribution, assignment, owner, content, happened_at)
    values (${tenant}, ${event.type}, ${event.contribution}, ${event.assignment}, ${event.owner},
      ${JSON.stringify(event.content)}, ${at})
    returning id::text as id`)
  return id
}

export interface EventRow extends NewEvent {
  readonly id: string
  readonly at: Date
}

export function findEvent(db: ReadingDb, tenant: string, id: string): Promise<EventRow | undefined> {
  return db.maybe(sql`
    select id::text as id, type, contribution::text as contribution, assignment::text as assignment, owner, content,
      happened_at as at
    from contribution_collection.events where tenant = ${tenant} and id = ${id}`)
}

export interface Subscriber {
  readonly id: string
  readonly email: string | null
  readonly slackChannel: string | null
  readonly url: string | null
  readonly includeBody: boolean
  readonly includeThumbnail: boolean
  /** Sealed. */
  readonly token: Buffer
}

const subscriberColumns: Sql = sql`
  s.id::text as id, s.email, s.slack_channel as "slackChannel", s.url, s.include_body as "includeBody",
  s.include_thumbnail as "includeThumbnail", s.token`

/** Subscriptions to this event whose owners have jurisdiction over it. */
export function subscribersOf(db: ReadingDb, tenant: string, event: EventRow): Promise<Subscriber[]> {
  return db.many(sql`
    select ${subscriberColumns} from contribution_collection.subscriptions as s
    where s.tenant = ${tenant} and s.types @> array[${event.type}::text]
      and (s.assignment is null or s.assignment = ${event.assignment})
      and (s.is_tenant or s.user_id = ${event.owner} or exists (
        select from contribution_collection.assignments as a
        where a.tenant = s.tenant and a.id = ${event.assignment} and a.moderator = s.user_id))
    order by s.id limit 10000`)
}

export function findSubscriber(db: ReadingDb, tenant: string, id: string): Promise<Subscriber | undefined> {
  return db.maybe(sql`
    select ${subscriberColumns} from contribution_collection.subscriptions as s
    where s.tenant = ${tenant} and s.id = ${id}`)
}

export const channels = ['email', 'chat', 'webhook'] as const
export type Channel = (typeof channels)[number]

export interface Delivery {
  readonly event: string
  readonly subscription: string
  readonly channel: Channel
}

/** False if it exists: an event is delivered once. */
export async function insertDelivery(db: Db, tenant: string, delivery: Delivery, at: Date): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into contribution_collection.deliveries (tenant, event, subscription, channel, updated_at)
    select ${tenant}, ${delivery.event}, s.id, ${delivery.channel}, ${at}
    from contribution_collection.subscriptions as s
    where s.tenant = ${tenant} and s.id = ${delivery.subscription}
    on conflict do nothing`)
  return inserted > 0
}

export async function noteAttempt(
  db: Db,
  tenant: string,
  delivery: Delivery,
  { attempts, result, message }: { readonly attempts: number; readonly result: string; readonly message: string },
  at: Date,
): Promise<void> {
  await db.run(sql`
    update contribution_collection.deliveries
    set attempts = ${attempts}, result = ${result}, message = ${message}, updated_at = ${at}
    where tenant = ${tenant} and event = ${delivery.event} and subscription = ${delivery.subscription}
      and channel = ${delivery.channel}`)
}
