import { type Db, type Sql, sql } from '@icosa/kernel'
import { hostOf, type Visit, type VisitKey } from './visit.ts'

const columns: Sql = sql`tenant, kind, id, url, host, hops, moving_to as "movingTo", etag,
  last_modified as "lastModified", digest, failures`

const at = ({ tenant, kind, id }: VisitKey): Sql => sql`tenant = ${tenant} and kind = ${kind} and id = ${id}`

export interface Wish extends VisitKey {
  readonly url: string
}

/** Wants things fetched at a time, from the beginning: what was known of an earlier visit is forgotten. */
export async function want(db: Db, wishes: readonly Wish[], dueAt: Date): Promise<void> {
  if (wishes.length === 0) return
  const rows = wishes.map(({ tenant, kind, id, url }) => ({ tenant, kind, id, url, host: hostOf(url) }))
  await db.run(sql`
    insert into podcast_directory.crawls (tenant, kind, id, url, host, due_at)
    select tenant, kind, id, url, host, ${dueAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}) as w(tenant text, kind text, id text, url text, host text)
    on conflict (tenant, kind, id) do update set url = excluded.url, host = excluded.host, due_at = excluded.due_at,
      hops = 0, moving_to = null, etag = null, last_modified = null, digest = null, failures = 0, error = null`)
}

export interface Visited {
  readonly visitedAt: Date | null
  readonly dueAt: Date | null
  readonly host: string
  readonly error: string | null
}

export function find(db: Db, key: VisitKey): Promise<Visited | undefined> {
  return db.maybe(sql`
    select visited_at as "visitedAt", due_at as "dueAt", host, error from podcast_directory.crawls where ${at(key)}`)
}

/** Has a visit made now, keeping what is known of the last one. */
export async function hasten(db: Db, key: VisitKey, now: Date): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set due_at = least(due_at, ${now}::timestamptz) where ${at(key)}`)
}

/** The next thing that is due at a host; feeds go first. */
export function nextAt(db: Db, host: string, now: Date): Promise<Visit | undefined> {
  return db.maybe(sql`
    select ${columns} from podcast_directory.crawls where host = ${host} and due_at <= ${now}
    order by (kind = 'feed') desc, due_at limit 1`)
}

/** What a visit leaves behind for the next one. */
export interface Trace {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
  readonly digest: string | null
}

/** It went well. */
export async function done(db: Db, key: VisitKey, trace: Trace, now: Date, dueAt: Date | null): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set url = ${trace.url}, host = ${hostOf(trace.url)}, hops = 0, moving_to = null,
      etag = ${trace.etag}, last_modified = ${trace.lastModified}, digest = ${trace.digest}, visited_at = ${now},
      due_at = ${dueAt}, failures = 0, error = null
    where ${at(key)}`)
}

/** It led to another place, which is visited next. */
export async function redirect(db: Db, key: VisitKey, url: string, movingTo: string | null, now: Date): Promise<void> {
  await db.run(sql`
    update podcast_directory.crawls set url = ${url}, host = ${hostOf(url)}, hops = hops + 1, moving_to = ${movingTo},
      due_at = ${now}
    where ${at(key)}`)
}

/** It failed; the next one starts at the thing's own address again. */
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

export async function forget(db: Db, key: VisitKey): Promise<void> {
  await db.run(sql`delete from podcast_directory.crawls where ${at(key)}`)
}
