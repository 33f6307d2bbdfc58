import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { hostOf, type Visit, type VisitKey } from './visit.ts'

const columns: Sql = sql`tenant, kind, id, url, host, hops, moving_to as "movingTo", etag,
  last_modified as "lastModified", digest, failures`

const at = ({ tenant, kind, id }: VisitKey): Sql => sql`tenant = ${tenant} and kind = ${kind} and id = ${id}`

export interface VisitRequest extends VisitKey {
  readonly url: string
}

/** Schedules visits, discarding the state of earlier ones. */
export async function requestVisits(db: Db, requests: readonly VisitRequest[], dueAt: Date): Promise<void> {
  if (requests.length === 0) return
  const rows = requests.map(({ tenant, kind, id, url }) => ({ tenant, kind, id, url, host: hostOf(url) }))
  await db.run(sql`
    insert into podcast_directory.crawls (tenant, kind, id, url, host, due_at)
    select tenant, kind, id, url, host, ${dueAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as w(tenant text, kind text, id text, url text, host text)
    on conflict (tenant, kind, id) do update set url = excluded.url, host = excluded.host, due_at = excluded.due_at,
      hops = 0, moving_to = null, etag = null, last_modified = null, digest = null, failures = 0, error = null`)
}

export interface VisitState {
  readonly visitedAt: Date | null
  readonly dueAt: Date | null
  readonly host: string
  readonly error: string | null
}

export function find(db: ReadingDb, key: VisitKey): Promise<VisitState | undefined> {
  return db.maybe(sql`
    select visited_at as "visitedAt", due_at as "dueAt", host, error from podcast_directory.crawls where ${at(key)}`)
}

/** Makes a visit due now, keeping its state. */
export async function hasten(db: Db, key: VisitKey, now: Date): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set due_at = least(due_at, ${now}::timestamptz) where ${at(key)}`)
}

/** The next due visit of a tenant at a host, feeds first. */
export function nextOf(db: ReadingDb, host: string, tenant: string, now: Date): Promise<Visit | undefined> {
  return db.maybe(dueOf(sql`${host}`, sql`${tenant}`, now))
}

/** Selects by index, one kind after the other, without reading later visits. */
const dueOf = (host: Sql, tenant: Sql, now: Date) => {
  const first = (isOther: Sql) => sql`
    (select ${columns} from podcast_directory.crawls
    where host = ${host} and tenant = ${tenant} and (kind <> 'feed') = ${isOther} and due_at <= ${now}
    order by due_at limit 1)`
  return sql`
    select * from (${first(sql`false`)} union all ${first(sql`true`)}) as due order by kind <> 'feed' limit 1`
}

/** Tenants to check before falling back to the longest due visit. */
const maxTenants = 64

/** The next due visit at a host after one of a tenant, in round-robin order of tenants. */
export async function nextAfter(db: ReadingDb, host: string, tenant: string, now: Date): Promise<Visit | undefined> {
  const next = (after: Sql) => sql`
    select tenant from podcast_directory.crawls
    where host = ${host} and tenant > ${after} and due_at is not null order by tenant limit 1`
  const visit = await db.maybe<Visit>(sql`
    with recursive half(half, beyond) as (values (1, ${tenant}), (2, '')),
    present(half, tenant, nth) as (
      select half, first.tenant, 1 from half cross join lateral (${next(sql`beyond`)}) as first
      union all
      select half, next.tenant, nth + 1
      from present cross join lateral (${next(sql`present.tenant`)}) as next where nth < ${maxTenants}
    )
    select due.* from present cross join lateral (${dueOf(sql`${host}`, sql`present.tenant`, now)}) as due
    order by half, nth limit 1`)
  if (visit) return visit
  return db.maybe(sql`
    select ${columns} from podcast_directory.crawls where host = ${host} and due_at <= ${now} order by due_at limit 1`)
}

/** State for the next visit. */
export interface Trace {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
  readonly digest: string | null
}

export async function succeed(db: Db, key: VisitKey, trace: Trace, now: Date, dueAt: Date | null): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set url = ${trace.url}, host = ${hostOf(trace.url)}, hops = 0, moving_to = null,
      etag = ${trace.etag}, last_modified = ${trace.lastModified}, digest = ${trace.digest}, visited_at = ${now},
      due_at = ${dueAt}, failures = 0, error = null
    where ${at(key)}`)
}

/** Schedules a visit to the redirect target. */
export async function redirect(db: Db, key: VisitKey, url: string, movingTo: string | null, now: Date): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set url = ${url}, host = ${hostOf(url)}, hops = hops + 1, moving_to = ${movingTo},
      due_at = ${now}
    where ${at(key)}`)
}

/** Records a failure; the next visit starts at `url` again. */
export async function fail(
  db: Db,
  key: VisitKey,
  { url, error, dueAt }: { readonly url: string; readonly error: string; readonly dueAt: Date | null },
  now: Date,
): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set url = ${url}, host = ${hostOf(url)}, hops = 0, moving_to = null,
      visited_at = ${now}, due_at = ${dueAt}, failures = failures + 1, error = ${error}
    where ${at(key)}`)
}

export async function remove(db: Db, key: VisitKey): Promise<void> {
  await db.run(sql`delete from podcast_directory.crawls where ${at(key)}`)
}
