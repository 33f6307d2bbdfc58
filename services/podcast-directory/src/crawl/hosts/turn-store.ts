import { type Db, join, type ReadingDb, sql } from '@icosa/kernel'

/** A tenant's turn at a host. */
export interface TurnKey {
  readonly host: string
  readonly tenant: string
}

export interface ClaimedTurn extends TurnKey {
  readonly claim: string
}

/** Crawls due at free hosts, of tenants without a pending job there. */
const dueCrawls = (now: Date) => sql`
  podcast_directory.crawls v
  where due_at <= ${now}
    and not exists (select from podcast_directory.hosts h where h.host = v.host and h.until > ${now})
    and not exists (
      select from podcast_directory.turns t where t.host = v.host and t.tenant = v.tenant and t.until > ${now})`

/** Selects a row if a crawl is due. */
export const anyDue = (now: Date) => sql`select from ${dueCrawls(now)}`

/** Hosts and tenants of due crawls, longest due first. */
export function due(db: ReadingDb, now: Date, limit: number): Promise<TurnKey[]> {
  return db.many(sql`
    select host, tenant from (
      select host, tenant, due_at from ${dueCrawls(now)}
      order by due_at limit ${limit * 10}) as due
    group by host, tenant order by min(due_at) limit ${limit}`)
}

/** Reserves turns for jobs until a time. Returns those that were not already reserved. */
export async function reserve(db: Db, turns: readonly ClaimedTurn[], now: Date, until: Date): Promise<ClaimedTurn[]> {
  if (turns.length === 0) return []
  // Sorted, to avoid deadlocks between concurrent calls.
  const sorted = turns.toSorted((a, b) => compare(a.host, b.host) || compare(a.tenant, b.tenant))
  return db.many(sql`
    insert into podcast_directory.turns as turn (host, tenant, claim, until)
    values ${join(sorted.map((turn) => sql`(${turn.host}, ${turn.tenant}, ${turn.claim}::uuid, ${until}::timestamptz)`))}
    on conflict (host, tenant) do update set claim = excluded.claim, until = excluded.until where turn.until <= ${now}
    returning host, tenant, claim`)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Ends a reservation, since its job runs or has failed. False if it has expired and was replaced. */
export async function release(db: Db, host: string, claim: string): Promise<boolean> {
  const rows = await db.run(sql`delete from podcast_directory.turns where host = ${host} and claim = ${claim}`)
  return rows === 1
}
