import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Count {
  readonly tenant: string
  /** First day of the month. */
  readonly month: string
  readonly requests: number
}

export async function requestsOf(db: ReadingDb, tenant: string, month: string): Promise<number> {
  const row = await db.maybe<{ requests: number }>(sql`
    select requests::float8 as requests from podcast_directory.usage where tenant = ${tenant} and month = ${month}`)
  return row?.requests ?? 0
}

/** Adds counts. Returns the sums of all nodes. */
export function add(db: Db, counts: readonly Count[]): Promise<Count[]> {
  const sorted = [...counts].sort((a, b) => (a.tenant + a.month < b.tenant + b.month ? -1 : 1)) // avoids deadlocks between nodes
  return db.many(sql`
    insert into podcast_directory.usage as u (tenant, month, requests)
    select tenant, month, requests from jsonb_to_recordset(${JSON.stringify(sorted)}) as c(tenant text, month date, requests bigint)
    on conflict (tenant, month) do update set requests = u.requests + excluded.requests
    returning tenant, month::text, requests::float8 as requests`)
}
