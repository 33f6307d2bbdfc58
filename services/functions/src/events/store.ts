import { type Db, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { Trigger } from '../functions/desired.ts'
import type { Place } from '../functions/store.ts'
import type { Attributes, Event } from './event.ts'

export interface TriggerRow extends Place {
  readonly trigger: Trigger
}

/** The functions of a tenant that wait for a kind of event. */
export function triggersFor(db: ReadingDb, tenant: string, eventType: string): Promise<TriggerRow[]> {
  return db.many(sql`
    select subscription_key as project, location, name_key as function, desired->'eventTrigger' as trigger
    from functions.functions
    where tenant = ${tenant} and desired ? 'eventTrigger' and desired->'eventTrigger'->>'eventType' = ${eventType}
      and state <> 'DELETING'
    order by subscription_key, location, name_key`)
}

export interface NewDelivery extends Place, Event {
  readonly id: string
}

export async function insert(db: Db, tenant: string, all: readonly NewDelivery[], now: Date): Promise<void> {
  await db.run(sql`
    insert into functions.deliveries (tenant, project, location, function, id, attributes, data, created_at)
    select ${tenant}, project, location, function, id, attributes::jsonb, data::jsonb, ${now}
    from unnest(${all.map(({ project }) => project)}::text[], ${all.map(({ location }) => location)}::text[],
      ${all.map((one) => one.function)}::text[], ${all.map(({ id }) => id)}::text[],
      ${all.map(({ attributes }) => JSON.stringify(attributes))}::text[],
      ${all.map(({ data }) => JSON.stringify(data))}::text[]) as made(project, location, function, id, attributes, data)`)
}

export interface DeliveryKey extends Place {
  readonly id: string
}

export interface DeliveryRow extends DeliveryKey, Event {
  readonly attempts: number
  readonly createdAt: Date
  readonly reason: string | null
  readonly failedAt: Date | null
}

const columns = sql`project, location, function, id, attributes, data, attempts, reason, created_at as "createdAt",
  failed_at as "failedAt"`

const at = (tenant: string, { project, location, function: name, id }: DeliveryKey) => sql`
  tenant = ${tenant} and project = ${project} and location = ${location} and function = ${name} and id = ${id}`

export function find(db: ReadingDb, tenant: string, key: DeliveryKey): Promise<DeliveryRow | undefined> {
  return db.point(sql`select ${columns} from functions.deliveries where ${at(tenant, key)}`)
}

export async function remove(db: Db, tenant: string, key: DeliveryKey): Promise<void> {
  await db.run(sql`delete from functions.deliveries where ${at(tenant, key)}`)
}

/** One more attempt that came to nothing; the last one if it says when. */
export async function noteFailure(
  db: Db,
  tenant: string,
  key: DeliveryKey,
  { reason, failedAt }: { readonly reason: string; readonly failedAt?: Date | undefined },
): Promise<void> {
  await db.run(sql`
    update functions.deliveries set attempts = attempts + 1, reason = ${reason}, failed_at = ${failedAt ?? null}
    where ${at(tenant, key)}`)
}

export async function removeAll(db: Db, tenant: string, { project, location, function: name }: Place): Promise<void> {
  await db.run(sql`
    delete from functions.deliveries
    where tenant = ${tenant} and project = ${project} and location = ${location} and function = ${name}`)
}

export interface FailedRow {
  readonly id: string
  readonly attributes: Attributes
  readonly attempts: number
  readonly reason: string
  readonly failedAt: Date
}

/** Those that nobody took, the latest first. */
export function failed(
  db: ReadingDb,
  tenant: string,
  { project, location, function: name }: Place,
  { limit, token }: { readonly limit: number; readonly token: string | undefined },
): Promise<Page<FailedRow>> {
  return readPage<FailedRow & { readonly sort: string }>(
    { limit, token, query: ['failed', tenant, project, location, name], at: 'query/pageToken' },
    (row) => [row.sort, row.id],
    (after, most) =>
      db.many(sql`
        select id, attributes, attempts, reason, failed_at as "failedAt", failed_at::text as sort
        from functions.deliveries
        where tenant = ${tenant} and project = ${project} and location = ${location} and function = ${name}
          and failed_at is not null
          ${after ? sql`and (failed_at, id) < (${after[0]}::text::timestamptz, ${after[1]}::text)` : sql``}
        order by failed_at desc, id desc limit ${most}`),
  )
}

/** For what has no clock: the end of a job that failed. */
export async function now(db: ReadingDb): Promise<Date> {
  return (await db.one<{ now: Date }>(sql`select now() as now`)).now
}
