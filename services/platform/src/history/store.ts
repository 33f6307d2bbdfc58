import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { HistoryEvent } from './contract.ts'

/** Maximum number of events in a reply. */
export const maxEvents = 500
/** Maximum number of linked traces: a job may start a trace of its own. */
const maxTraces = 100

export interface SpanRow {
  readonly tenant: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly enqueuedBy: string | undefined
  readonly kind: string
  readonly name: string
  readonly requestId: string | undefined
  /** Unix time, with fractions: spans often start within one millisecond. */
  readonly startedAtMs: number
  readonly ms: number
  readonly hasFailed: boolean
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly error: string | undefined
}

export async function insertSpans(db: Db, spans: readonly SpanRow[]): Promise<void> {
  await db.run(sql`
    insert into platform.spans (tenant, trace_id, span_id, parent_id, enqueued_by, kind, name, request_id, started_at, ms,
      has_failed, attributes, error)
    select tenant, "traceId", "spanId", "parentId", "enqueuedBy", kind, name, "requestId", to_timestamp("startedAtMs" / 1000), ms, "hasFailed",
      attributes, error
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) as span (tenant text, "traceId" text, "spanId" text,
      "parentId" text, "enqueuedBy" text, kind text, name text, "requestId" text, "startedAtMs" double precision,
      ms double precision, "hasFailed" boolean, attributes jsonb, error text)
    on conflict do nothing`)
}

/** Deletes all but the latest spans. */
export async function pruneSpans(db: Db, keep: number): Promise<void> {
  await db.run(sql`
    delete from platform.spans where started_at <
      (select started_at from platform.spans order by started_at desc offset ${keep} limit 1)`)
}

export async function tracesOfRequests(db: ReadingDb, tenant: string, requests: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ traceId: string }>(sql`
    select distinct trace_id as "traceId" from platform.spans where tenant = ${tenant} and request_id = any(${requests})`)
  return rows.map(({ traceId }) => traceId)
}

/** Records that are searched: paths have no index. */
const maxSearched = 10_000
const maxRequests = 50

/** The latest requests that changed a path or anything below it, with the moves of the clock between them. */
export async function requestsAt(db: ReadingDb, tenant: string, path: string): Promise<string[]> {
  const rows = await db.many<{ request: string }>(sql`
    with latest as (
      select number, request_id, lower(resource) as path, service, operation, status from platform.audit
      where tenant = ${tenant} order by number desc limit ${maxSearched}),
    changes as (
      select number, request_id from latest
      where status < 400 and (path = lower(${path}) or starts_with(path, lower(${path}) || '/') or starts_with(path, lower(${path}) || ':'))
      order by number desc limit ${maxRequests})
    select request_id as request from changes
    union all (
      select request_id from latest where service = 'platform' and operation = 'moveClock' and status < 400
        and number > (select min(number) from changes)
      order by number desc limit ${maxRequests})`)
  return rows.map(({ request }) => request)
}

interface Row extends Omit<SpanRow, 'tenant' | 'startedAtMs' | 'parentId' | 'enqueuedBy' | 'requestId' | 'error'> {
  readonly kind: HistoryEvent['kind']
  readonly startedAt: Date
  readonly parentId: string | null
  readonly enqueuedBy: string | null
  readonly requestId: string | null
  readonly error: string | null
}

/** Returns the events of traces and of those started by their jobs, oldest first, up to one more than the limit. */
export async function eventsOf(db: ReadingDb, tenant: string, traces: readonly string[]): Promise<HistoryEvent[]> {
  const rows = await db.many<Row>(sql`
    with recursive linked (trace_id) as (
      select * from unnest(${traces}::text[])
      union
      select span.trace_id from linked join platform.spans as span
        on span.tenant = ${tenant} and span.enqueued_by = linked.trace_id)
    select trace_id as "traceId", span_id as "spanId", parent_id as "parentId", enqueued_by as "enqueuedBy", kind, name,
      request_id as "requestId", started_at as "startedAt", ms, has_failed as "hasFailed", attributes, error
    from platform.spans where tenant = ${tenant} and trace_id in (select trace_id from linked limit ${maxTraces})
    order by started_at, span_id limit ${maxEvents + 1}`)
  return rows.map(toEvent)
}

function toEvent({ startedAt, hasFailed, attributes, ...row }: Row): HistoryEvent {
  const { parentId, enqueuedBy, requestId, error, ...rest } = row
  const {
    'icosa.failures': failures,
    'icosa.outcome': outcome,
    'http.response.status_code': status,
    ...others
  } = attributes as Record<string, string | number>
  return {
    ...rest,
    ...(parentId !== null && { parentId }),
    ...(enqueuedBy !== null && { enqueuedBy }),
    ...(requestId !== null && { requestId }),
    at: startedAt.toISOString(),
    failed: hasFailed,
    ...(row.kind === 'job' && { attempt: Number(failures ?? 0) + 1 }),
    ...(outcome !== undefined && { outcome: String(outcome) }),
    ...(status !== undefined && { status: Number(status) }),
    ...(error !== null && { error }),
    attributes: others,
  }
}
