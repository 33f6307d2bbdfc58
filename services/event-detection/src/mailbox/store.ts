import { type Db, sql } from '@icosa/kernel'
import { arrayOf } from '../shapes/array.ts'
import { laneCount, partitionCount } from './partition.ts'
import { bodyEnd } from './segment.ts'

/** Messages of one partition, in one row. */
export interface Segment {
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
      insert into event_detection.mailbox (partition, messages, body)
      select segment.* from unnest(${arrayOf(segments.map(({ partition }) => partition))}::smallint[],
        ${arrayOf(segments.map(({ messages }) => messages))}::int[],
        string_to_array(${segments.map(({ body }) => body).join(bodyEnd)}, ${bodyEnd})) as segment
      where not exists (select from stale)
    )
    select tenant from stale`)
  return rows.map(({ tenant }) => tenant)
}

/**
 * Holds partitions of these lanes that have something to do, until the transaction ends: the next ones after `after` that
 * nobody else holds. A worker that dies lets go of them at once. What is in them is to be read by later statements: this one
 * may still see what whoever held them before has taken out. Those go by indexes, although they may be planned while tables
 * are empty: plans are kept.
 */
export async function holdPartitions(
  db: Db,
  lanes: readonly number[],
  after: number,
  now: Date,
): Promise<readonly number[]> {
  const rows = await db.many<{ number: number }>(sql`
    with busy as materialized (
      select number from generate_series(0, ${partitionCount - 1}::int) as number
      where number % ${laneCount}::int = any(${lanes}) and (
        exists (select from event_detection.mailbox where partition = number)
        or exists (select from event_detection.instances where partition = number and due_at <= ${now}))
      order by number <= ${after}::int, number
    )
    select number, set_config('enable_seqscan', 'off', true) from busy
    where pg_try_advisory_xact_lock(hashtext('event_detection.mailbox'), number) limit ${partitionsAtOnce}`)
  return rows.map(({ number }) => number)
}

export interface StoredSegment {
  readonly id: string
  readonly body: string
  /** Where the row lies, which it does not leave before it is taken out. */
  readonly row: string
}

const partitionsAtOnce = 8
const segmentsOfEach = 250

export interface Oldest {
  readonly segments: readonly StoredSegment[]
  /** Whether nothing else waits in those partitions. */
  readonly isAll: boolean
}

/** The oldest segments of partitions, until they hold so many messages. */
export async function oldest(db: Db, partitions: readonly number[], messages: number): Promise<Oldest> {
  const rows = await db.many<StoredSegment & { readonly through: number }>(sql`
    select id, body, row::text, through::int from (
      select segment.*, sum(messages) over (order by id) as through
      from unnest(${arrayOf(partitions)}::smallint[]) as number cross join lateral (
        select id, messages, body, ctid as row from event_detection.mailbox
        where partition = number order by id limit ${segmentsOfEach}) as segment) as segment
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

/** The lanes among these for which no evaluation is on its way. */
export async function unasked(db: Db, lanes: readonly number[]): Promise<number[]> {
  const rows = await db.many<{ id: number }>(
    sql`select id from event_detection.lanes where id = any(${lanes}) and asked`,
  )
  const asked = new Set(rows.map(({ id }) => id))
  return lanes.filter((lane) => !asked.has(lane))
}

/** Notes that evaluations are on their way. Answers those that were not. */
export async function markAsked(db: Db, lanes: readonly number[]): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    insert into event_detection.lanes as lane (id, asked) select id, true from unnest(${lanes}::smallint[]) as id order by id
    on conflict (id) do update set asked = true where not lane.asked returning id`)
  return rows.map(({ id }) => id)
}

export async function markBegun(db: Db, lanes: readonly number[]): Promise<void> {
  await db.run(sql`update event_detection.lanes set asked = false where id = any(${lanes}) and asked`)
}

/** Notes that an evaluation comes at a time. False if one comes before it anyway. */
export async function markAimed(db: Db, at: Date, now: Date): Promise<boolean> {
  const aimed = await db.run(sql`
    insert into event_detection.aims as aim (id, at) values (0, ${at})
    on conflict (id) do update set at = excluded.at where aim.at <= ${now} or aim.at > excluded.at`)
  return aimed === 1
}
