import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface LoggedQuery {
  readonly query: string
  readonly versionId: string
  readonly answer: unknown
  readonly createdAt: Date
}

export interface NewLoggedQuery extends LoggedQuery {
  readonly tenant: string
  readonly app: string
  readonly id: string
}

export function newest(db: ReadingDb, tenant: string, app: string, max: number): Promise<LoggedQuery[]> {
  return db.many(sql`
    select query, version_id as "versionId", answer, created_at as "createdAt" from language_authoring.query_logs
    where tenant = ${tenant} and app = ${app} order by created_at desc, id limit ${max}`)
}

/** Number of newest queries to consider. */
const maxRead = 10_000

/** Lists distinct queries, the newest first. */
export async function texts(db: ReadingDb, tenant: string, app: string, max: number): Promise<string[]> {
  const rows = await db.many<{ query: string }>(sql`
    select query from (
      select query, created_at from language_authoring.query_logs where tenant = ${tenant} and app = ${app}
      order by created_at desc limit ${maxRead}) as newest
    group by query order by max(created_at) desc limit ${max}`)
  return rows.map(({ query }) => query)
}

/** Deletes a query from the log; returns the number of rows. */
export function forget(db: Db, tenant: string, app: string, query: string): Promise<number> {
  return db.run(sql`
    delete from language_authoring.query_logs
    where tenant = ${tenant} and app = ${app} and md5(query) = md5(${query}) and query = ${query}`)
}

export async function insert(db: Db, rows: readonly NewLoggedQuery[]): Promise<void> {
  await db.run(sql`
    insert into language_authoring.query_logs (tenant, app, id, version_id, query, answer, created_at)
    select tenant, app, id, "versionId", query, answer, "createdAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as t(tenant text, app uuid, id uuid, "versionId" text,
      query text, answer json, "createdAt" timestamptz)
    where exists (select 1 from language_authoring.apps a where a.tenant = t.tenant and a.id = t.app)`)
}

export interface Hits {
  readonly tenant: string
  readonly app: string
  readonly version: string
  readonly hits: number
}

export async function addHits(db: Db, rows: readonly Hits[]): Promise<void> {
  const all = JSON.stringify(rows)
  const hits = sql`json_to_recordset(${all}::json) as h(tenant text, app uuid, version uuid, hits bigint)`
  await db.run(sql`
    update language_authoring.versions v set endpoint_hits = v.endpoint_hits + h.hits from ${hits}
    where v.tenant = h.tenant and v.uid = h.version`)
  await db.run(sql`
    update language_authoring.apps a set endpoint_hits = a.endpoint_hits + h.hits
    from (select tenant, app, sum(hits) as hits from ${hits} group by tenant, app) h
    where a.tenant = h.tenant and a.id = h.app`)
}

export function clear(db: Db, tenant: string, app: string): Promise<number> {
  return db.run(sql`delete from language_authoring.query_logs where tenant = ${tenant} and app = ${app}`)
}
