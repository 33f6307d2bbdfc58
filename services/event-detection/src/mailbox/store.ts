import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { anyTimerDue } from '../instances/store.ts'
import { arrayOf } from '../shapes/array.ts'
import { laneCount, partitionCount } from './partition.ts'
import { bodyEnd } from './segment.ts'

/** Messages of one tenant and partition, in one row. */
export interface Segment {
  readonly tenant: string
  readonly partition: number
  readonly messages: number
  readonly body: string
}

export interface CatalogVersion {
  readonly tenant: string
  readonly version: string
}

/**
 * Writes segments if the catalogs that routed them are current; otherwise writes nothing and returns the tenants with stale
 * ones. One statement, durable when it returns.
 */
export async function put(
  db: Db,
  versions: readonly CatalogVersion[],
  segments: readonly Segment[],
): Promise<readonly string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    with stale as (
      select known.tenant
      from unnest(${arrayOf(versions.map(({ tenant }) => tenant))}::text[], ${arrayOf(versions.map(({ version }) => version))}::bigint[])
        as known(tenant, version)
      left join event_detection.catalogs as catalog on catalog.tenant = known.tenant
      where coalesce(catalog.version, 0) <> known.version
    ), written as (
      insert into event_detection.mailbox (tenant, partition, messages, body)
      select segment.* from unnest(${arrayOf(segments.map(({ tenant }) => tenant))}::text[],
        ${arrayOf(segments.map(({ partition }) => partition))}::smallint[],
        ${arrayOf(segments.map(({ messages }) => messages))}::int[],
        string_to_array(${segments.map(({ body }) => body).join(bodyEnd)}, ${bodyEnd})) as segment
      where not exists (select from stale)
    )
    select tenant from stale`)
  return rows.map(({ tenant }) => tenant)
}

/**
 * Locks the next free partitions after `after` of a tenant's lanes that have work, until the end of the transaction. The locks
 * of a dead worker are released at once. Read their content in later statements: this one may still see messages that the
 * previous owner has deleted. Disables sequential scans, since cached plans may be from when tables were empty.
 */
export async function lockPartitions(
  db: Db,
  { tenant, lanes }: { readonly tenant: string; readonly lanes: readonly number[] },
  after: number,
  now: Date,
): Promise<readonly number[]> {
  const rows = await db.many<{ number: number }>(sql`
    with due as materialized (
      select distinct partition from (
        select partition from event_detection.instances where tenant = ${tenant} and due_at <= ${now}
        order by due_at limit ${maxTimersPerScan}) as timer
    ), busy as materialized (
      select number from generate_series(0, ${partitionCount - 1}::int) as number
      where number % ${laneCount}::int = any(${lanes}) and (
        exists (select from event_detection.mailbox where tenant = ${tenant} and partition = number)
        or number in (select partition from due))
      order by number <= ${after}::int, number
    )
    select number, set_config('enable_seqscan', 'off', true) from busy
    where pg_try_advisory_xact_lock(hashtext('event_detection.mailbox ' || ${tenant}), number) limit ${partitionsPerTurn}`)
  return rows.map(({ number }) => number)
}

export interface StoredSegment {
  readonly id: string
  readonly body: string
  /** `ctid`, stable until the segment is deleted. */
  readonly row: string
}

const partitionsPerTurn = 8
const maxTimersPerScan = 1_000
const segmentsPerPartition = 250

export interface Oldest {
  readonly segments: readonly StoredSegment[]
  /** Whether the partitions have no other segments. */
  readonly isAll: boolean
}

/** The oldest segments of a tenant's partitions, up to about so many messages. */
export async function oldest(
  db: ReadingDb,
  tenant: string,
  partitions: readonly number[],
  messages: number,
): Promise<Oldest> {
  const rows = await db.many<StoredSegment & { readonly through: number }>(sql`
    select id, body, row::text, through::int from (
      select segment.*, sum(messages) over (order by id) as through
      from unnest(${arrayOf(partitions)}::smallint[]) as number cross join lateral (
        select id, messages, body, ctid as row from event_detection.mailbox
        where tenant = ${tenant} and partition = number order by id limit ${segmentsPerPartition}) as segment) as segment
    where through - messages < ${messages} order by id`)
  const isAll = rows.length < segmentsPerPartition && (rows.at(-1)?.through ?? 0) < messages
  return { segments: rows, isAll }
}

/** Deletes segments. Fails if one is missing, since another worker has evaluated it. */
export async function removeSegments(db: Db, segments: readonly StoredSegment[]): Promise<void> {
  if (segments.length === 0) return
  const deleted = await db.run(sql`
    delete from event_detection.mailbox where ctid = any(${arrayOf(segments.map(({ row }) => row))}::tid[])`)
  if (deleted !== segments.length) throw new Error('Messages were evaluated by two workers concurrently.')
}

/** A lane of a tenant, or all lanes. */
export interface TenantLane {
  readonly tenant: string
  readonly lane?: number | undefined
}

/** Selects a row if a timer is due until then, or messages are queued. */
export const anyToEvaluate = (until: Date) =>
  sql`select where exists (${anyTimerDue(until)}) or exists (select from event_detection.mailbox)`

/** Tenants with queued messages, by a loose index scan. */
export async function tenantsWaiting(db: ReadingDb): Promise<string[]> {
  const next = (after: Sql) => sql`
    select tenant from event_detection.mailbox where tenant > ${after} order by tenant limit 1`
  const rows = await db.many<{ tenant: string }>(sql`
    with recursive waiting(tenant) as (
      (${next(sql`''`)}) union all
      select next.tenant from waiting cross join lateral (${next(sql`waiting.tenant`)}) as next
    )
    select tenant from waiting`)
  return rows.map(({ tenant }) => tenant)
}
