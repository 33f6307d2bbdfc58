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

export async function traceOfRequest(db: ReadingDb, tenant: string, request: string): Promise<string | undefined> {
  const row = await db.maybe<{ traceId: string }>(sql`
    select trace_id as "traceId" from platform.spans where tenant = ${tenant} and request_id = ${request}
    order by started_at desc limit 1`)
  return row?.traceId
}

interface Row extends Omit<SpanRow, 'tenant' | 'startedAtMs' | 'parentId' | 'enqueuedBy' | 'requestId' | 'error'> {
  readonly kind: HistoryEvent['kind']
  readonly startedAt: Date
  readonly parentId: string | null
  readonly enqueuedBy: string | null
  readonly requestId: string | null
  readonly error: string | null
}

/** Returns the events of a trace and of traces started by its jobs, oldest first, up to one more than the limit. */
export async function eventsOf(db: ReadingDb, tenant: string, trace: string): Promise<HistoryEvent[]> {
  const rows = await db.many<Row>(sql`
    with recursive linked (trace_id) as (
      select ${trace}::text
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
