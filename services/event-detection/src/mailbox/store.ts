import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
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

export interface KnownVersion {
  readonly tenant: string
  readonly version: string
}

/**
 * Writes segments if the catalogs by which they were routed still hold; otherwise writes nothing and answers whose do not.
 * All in one statement: it is durable when it is answered.
 */
export async function put(
  db: Db,
  known: readonly KnownVersion[],
  segments: readonly Segment[],
): Promise<readonly string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    with stale as (
      select known.tenant
      from unnest(${arrayOf(known.map(({ tenant }) => tenant))}::text[], ${arrayOf(known.map(({ version }) => version))}::bigint[])
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
 * Holds partitions of a tenant's lanes that have something to do, until the transaction ends: the next ones after `after` that
 * nobody else holds. A worker that dies lets go of them at once. What is in them is to be read by later statements: this one
 * may still see what whoever held them before has taken out. Those go by indexes, although they may be planned while tables
 * are empty: plans are kept.
 */
export async function holdPartitions(
  db: Db,
  { tenant, lanes }: { readonly tenant: string; readonly lanes: readonly number[] },
  after: number,
  now: Date,
): Promise<readonly number[]> {
  const rows = await db.many<{ number: number }>(sql`
    with due as materialized (
      select distinct partition from (
        select partition from event_detection.instances where tenant = ${tenant} and due_at <= ${now}
        order by due_at limit ${timersLookedAt}) as timer
    ), busy as materialized (
      select number from generate_series(0, ${partitionCount - 1}::int) as number
      where number % ${laneCount}::int = any(${lanes}) and (
        exists (select from event_detection.mailbox where tenant = ${tenant} and partition = number)
        or number in (select partition from due))
      order by number <= ${after}::int, number
    )
    select number, set_config('enable_seqscan', 'off', true) from busy
    where pg_try_advisory_xact_lock(hashtext('event_detection.mailbox ' || ${tenant}), number) limit ${partitionsAtOnce}`)
  return rows.map(({ number }) => number)
}

export interface StoredSegment {
  readonly id: string
  readonly body: string
  /** Where the row lies, which it does not leave before it is taken out. */
  readonly row: string
}

const partitionsAtOnce = 8
const timersLookedAt = 1_000
const segmentsOfEach = 250

export interface Oldest {
  readonly segments: readonly StoredSegment[]
  /** Whether nothing else waits in those partitions. */
  readonly isAll: boolean
}

/** The oldest segments of a tenant's partitions, until they hold so many messages. */
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
        where tenant = ${tenant} and partition = number order by id limit ${segmentsOfEach}) as segment) as segment
    where through - messages < ${messages} order by id`)
  const isAll = rows.length < segmentsOfEach && (rows.at(-1)?.through ?? 0) < messages
  return { segments: rows, isAll }
}

/** Takes segments out. If one of them is gone, somebody else has evaluated it: what was made of it must not count. */
export async function takeOut(db: Db, segments: readonly StoredSegment[]): Promise<void> {
  if (segments.length === 0) return
  const taken = await db.run(sql`
    delete from event_detection.mailbox where ctid = any(${arrayOf(segments.map(({ row }) => row))}::tid[])`)
  if (taken !== segments.length) throw new Error('Messages were evaluated twice at the same time.')
}

/** A tenant's share of the partitions: a lane of its own, or all of them if none is named. */
export interface TenantLane {
  readonly tenant: string
  readonly lane?: number | undefined
}

/** Selects a row if any message waits. */
export const anyWaiting = sql`select from event_detection.mailbox`

/** The tenants for which messages wait. */
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
