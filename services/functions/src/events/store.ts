import { type Db, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { Trigger } from '../functions/desired.ts'
import type { Place } from '../functions/store.ts'
import type { Attributes, Event } from './event.ts'
import { release } from './messages-store.ts'
import { insertInOrder } from './ordered-store.ts'

export interface TriggerRow extends Place {
  readonly trigger: Trigger
}

/** Functions of a tenant with a trigger for an event type, or a page of them. */
export function triggersFor(
  db: ReadingDb,
  tenant: string,
  eventType: string,
  page?: { readonly after: Place | undefined; readonly limit: number },
): Promise<TriggerRow[]> {
  const { after } = page ?? {}
  const isAfter = after
    ? sql`and (subscription_key, location, name_key) > (${after.project}, ${after.location}, ${after.function})`
    : sql``
  return db.many(sql`
    select subscription_key as project, location, name_key as function, desired->'eventTrigger' as trigger
    from functions.functions
    where tenant = ${tenant} and desired ? 'eventTrigger' and desired->'eventTrigger'->>'eventType' = ${eventType}
      and state <> 'DELETING' ${isAfter}
    order by subscription_key, location, name_key ${page ? sql`limit ${page.limit}` : sql``}`)
}

export interface NewDelivery extends DeliveryKey {
  readonly event: Event
}

/** Inserts deliveries with a copy of their event each. Returns those to attempt now. */
export async function insert(
  db: Db,
  tenant: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<DeliveryKey[]> {
  const keys = deliveries.map(({ event, ...key }) => ({ ...key, orderingKey: event.orderingKey }))
  return insertInOrder(
    db,
    tenant,
    keys,
    sql`
    select rows.*, attributes::jsonb as attributes, data::jsonb as data, ${now}::timestamptz as created_at
    from unnest(${deliveries.map(({ event }) => JSON.stringify(event.attributes))}::text[],
      ${deliveries.map(({ event }) => event.data)}::text[]) with ordinality as made(attributes, data, number)
    join rows using (number)`,
  )
}

export interface DeliveryKey extends Place {
  readonly id: string
}

export interface DeliveryRow extends DeliveryKey {
  readonly attributes: Attributes
  /** Copy of the data, as JSON. Null if the message is stored once for all deliveries. */
  readonly data: string | null
  readonly attempts: number
  readonly createdAt: Date
  readonly reason: string | null
  readonly failedAt: Date | null
  readonly orderingKey: string | null
}

const columns = sql`project, location, function, id, attributes, data::text as data, attempts, reason,
  created_at as "createdAt", failed_at as "failedAt", ordering_key as "orderingKey"`

const at = (tenant: string, { project, location, function: name, id }: DeliveryKey) => sql`
  tenant = ${tenant} and project = ${project} and location = ${location} and function = ${name} and id = ${id}`

export function find(db: ReadingDb, tenant: string, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  return db.point(sql`select ${columns} from functions.deliveries where ${at(tenant, key)}`)
}

export async function remove(db: Db, tenant: string, key: DeliveryKey): Promise<void> {
  const deletion = sql`delete from functions.deliveries where ${at(tenant, key)} returning ${sharing}`
  await releaseOf(db, tenant, await db.many(deletion))
}

/** Records a failed attempt; with `failedAt`, the last one. */
export async function recordFailure(
  db: Db,
  tenant: string,
  key: DeliveryKey,
  { reason, failedAt }: { readonly reason: string; readonly failedAt?: Date | undefined },
): Promise<void> {
  const updated = await db.many<Sharing>(sql`
    update functions.deliveries set attempts = attempts + 1, reason = ${reason}, failed_at = ${failedAt ?? null}
    where ${at(tenant, key)} and failed_at is null returning id, data is null as "isShared"`)
  if (failedAt) await releaseOf(db, tenant, updated)
}

export async function removeAll(db: Db, tenant: string, { project, location, function: name }: Place): Promise<void> {
  const deletion = sql`
    delete from functions.deliveries
    where tenant = ${tenant} and project = ${project} and location = ${location} and function = ${name}
    returning ${sharing}`
  await releaseOf(db, tenant, await db.many(deletion))
}

interface Sharing {
  readonly id: string
  readonly isShared: boolean
}

/** Whether a delivery refers to a stored message. Abandoned ones no longer do. */
const sharing = sql`id, data is null and failed_at is null as "isShared"`

async function releaseOf(db: Db, tenant: string, deliveries: readonly Sharing[]): Promise<void> {
  const ids = deliveries.filter(({ isShared }) => isShared).map(({ id }) => id)
  if (ids.length > 0) await release(db, tenant, ids)
}

export interface FailedRow {
  readonly id: string
  readonly attributes: Attributes
  readonly attempts: number
  readonly reason: string
  readonly failedAt: Date
}

/** Abandoned deliveries, newest first. */
export function failed(
  db: ReadingDb,
  tenant: string,
  { project, location, function: name }: Place,
  { limit, token }: { readonly limit: number; readonly token: string | undefined },
): Promise<Page<FailedRow>> {
  return readPage<FailedRow & { readonly sort: string }>(
    { limit, token, query: ['failed', tenant, project, location, name], at: 'query/pageToken' },
    (row) => [row.sort, row.id],
    (after, count) =>
      db.many(sql`
        select id, attributes, attempts, reason, failed_at as "failedAt", failed_at::text as sort
        from functions.deliveries
        where tenant = ${tenant} and project = ${project} and location = ${location} and function = ${name}
          and failed_at is not null
          ${after ? sql`and (failed_at, id) < (${after[0]}::text::timestamptz, ${after[1]}::text)` : sql``}
        order by failed_at desc, id desc limit ${count}`),
  )
}

/** For `failed` of a job, which has no clock. */
export async function now(db: ReadingDb): Promise<Date> {
  return (await db.one<{ now: Date }>(sql`select now() as now`)).now
}
