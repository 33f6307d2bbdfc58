import { type Db, join, type ReadingDb, sql } from '@icosa/kernel'

/** A tenant's turn at a host. */
export interface TurnKey {
  readonly host: string
  readonly tenant: string
}

export interface ClaimedTurn extends TurnKey {
  readonly claim: string
}

/** What is due at hosts that are free, of tenants that have no job on its way there. */
const dueCrawls = (now: Date) => sql`
  podcast_directory.crawls v
  where due_at <= ${now}
    and not exists (select from podcast_directory.hosts h where h.host = v.host and h.until > ${now})
    and not exists (
      select from podcast_directory.turns t where t.host = v.host and t.tenant = v.tenant and t.until > ${now})`

/** Selects a row if a crawl is due. */
export const anyDue = (now: Date) => sql`select from ${dueCrawls(now)}`

/** Tenants that have something due at hosts that nobody has, and no job on its way there; the longest due first. */
export function due(db: ReadingDb, now: Date, limit: number): Promise<TurnKey[]> {
  return db.many(sql`
    select host, tenant from (
      select host, tenant, due_at from ${dueCrawls(now)}
      order by due_at limit ${limit * 10}) as due
    group by host, tenant order by min(due_at) limit ${limit}`)
}

/** Notes that jobs are on their way until a time, each under the claim beside it. Answers those for which none was. */
export async function give(db: Db, turns: readonly ClaimedTurn[], now: Date, until: Date): Promise<ClaimedTurn[]> {
  if (turns.length === 0) return []
  // In one order: two that give the same ones must not meet.
  const sorted = turns.toSorted((a, b) => compare(a.host, b.host) || compare(a.tenant, b.tenant))
  return db.many(sql`
    insert into podcast_directory.turns as turn (host, tenant, claim, until)
    values ${join(sorted.map((one) => sql`(${one.host}, ${one.tenant}, ${one.claim}::uuid, ${until}::timestamptz)`))}
    on conflict (host, tenant) do update set claim = excluded.claim, until = excluded.until where turn.until <= ${now}
    returning host, tenant, claim`)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The job has arrived, or never will. False if it took so long that another one was sent. */
export async function take(db: Db, host: string, claim: string): Promise<boolean> {
  const taken = await db.run(sql`delete from podcast_directory.turns where host = ${host} and claim = ${claim}`)
  return taken === 1
}
