import { type Db, type Sql, sql } from '../db/db.ts'

/** An event that services publish, for subscribers of the same tenant: a CloudEvent without an id. */
export interface PlatformEvent {
  readonly tenant: string
  readonly type: string
  /** Events with the same key are delivered in order. */
  readonly key: string
  /** Names are lower-case letters and digits. */
  readonly attributes: { readonly source: string; readonly [name: string]: string }
  readonly at: Date
  readonly data: unknown
}

export interface ReceivedEvent {
  readonly key: string | undefined
  readonly attributes: {
    readonly id: string
    readonly type: string
    readonly source: string
    readonly time: string
  } & {
    readonly [name: string]: string | undefined
  }
  readonly data: unknown
}

/** Name of the job with which a subscribed service receives its events, by `takeEvents`. */
export const receiveEventsJob = 'receive-events'

/**
 * Publishes events in the transaction that causes them: stores them for services with a subscription, and enqueues
 * their jobs. Returns the queues to wake after the transaction.
 */
export async function publish(db: Db, events: readonly PlatformEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = await db.many<{ queue: string }>(sql`
    with published as (
      insert into icosa.events (tenant, service, key, attributes, data, created_at)
      select event.tenant, subscribed.service, event.key, event.attributes || jsonb_build_object(
        'id', gen_random_uuid(), 'type', event.type, 'time',
        to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), event.data, event.at
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as event (tenant text, type text, key text, attributes jsonb, data jsonb, at timestamptz)
      cross join lateral (
        select distinct service from icosa.event_subscriptions as s
        where s.tenant = event.tenant and s.type = event.type) as subscribed
      returning tenant, service),
    enqueued as (
      insert into icosa.jobs (queue, payload)
      select distinct service, jsonb_build_object('job', ${receiveEventsJob}::text, 'tenant', tenant, 'input', '{}'::jsonb)
      from published returning queue)
    select distinct queue from enqueued`)
  return rows.map(({ queue }) => queue)
}

/** Whether a service subscribes to one of the types in the tenant of a row, as an expression. */
export const isSubscribed = (tenant: Sql, types: readonly string[]): Sql => sql`
  exists (select from icosa.event_subscriptions as s where s.tenant = ${tenant} and s.type = any(${types}))`

/** Those of the tenants in which a service subscribes to an event type. */
export async function subscribedTenants(
  db: Db,
  type: string,
  tenants: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ tenant: string }>(sql`
    select distinct tenant from icosa.event_subscriptions where tenant = any(${tenants}) and type = ${type}`)
  return new Set(rows.map(({ tenant }) => tenant))
}

/** Removes the oldest events of a service and tenant. Concurrent callers wait for each other, which preserves the order. */
export async function takeEvents(
  db: Db,
  { service, tenant, limit }: { readonly service: string; readonly tenant: string; readonly limit: number },
): Promise<ReceivedEvent[]> {
  const rows = await db.many<ReceivedEvent & { readonly key: string | null }>(sql`
    with taken as (
      delete from icosa.events where tenant = ${tenant} and service = ${service} and number = any(array(
        select number from icosa.events where tenant = ${tenant} and service = ${service}
        order by number limit ${limit} for update))
      returning number, key, attributes, data)
    select key, attributes, data from taken order by number`)
  return rows.map(({ key, ...event }) => ({ ...event, key: key ?? undefined }))
}
