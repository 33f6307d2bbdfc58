import { type ReadingDb, raw, sql, varying } from '@icosa/kernel'

/** Tables of jobs. */
export type JobTable = 'backup_jobs' | 'copy_jobs' | 'restore_jobs'

export interface SummaryRequest {
  /** Undefined: counts all states together. `ANY`: counts each separately. */
  readonly state: string | undefined
  readonly type: string | undefined
  readonly from: Date
  readonly to: Date
  /** Length of a span. */
  readonly days: number
}

export interface SummaryRow {
  readonly state: string
  readonly type: string
  readonly count: number
  readonly span: number
}

const dayMs = 86_400_000

/** A tenant has at most a few thousand combinations of state, type and span. */
export function summaries(
  db: ReadingDb,
  tenant: string,
  table: JobTable,
  request: SummaryRequest,
): Promise<SummaryRow[]> {
  const { state, type, from, to, days } = request
  const stateColumn = raw(table === 'restore_jobs' ? 'status' : 'state')
  const shownState = state === 'ANY' ? stateColumn : sql`${state ?? 'AGGREGATE_ALL'}`
  const shownType = type === 'ANY' ? sql`resource_type` : sql`${type ?? 'AGGREGATE_ALL'}`
  const ofState = isOne(state) ? sql`${stateColumn} = ${state}` : sql`true`
  const ofType = isOne(type) ? sql`resource_type = ${type}` : sql`true`
  return db.many(
    varying(sql`
      select state, type, span, count(*)::int as count from (
        select ${shownState}::text as state, ${shownType}::text as type,
          floor(extract(epoch from created_at - ${from}::timestamptz) * 1000 / ${days * dayMs}::float8)::int as span
        from backup.${raw(table)}
        where tenant = ${tenant} and created_at >= ${from} and created_at < ${to} and ${ofState} and ${ofType}) as found
      group by state, type, span order by span desc, state, type limit 1000`),
  )
}

const isOne = (value: string | undefined) => value !== undefined && value !== 'ANY' && value !== 'AGGREGATE_ALL'
