import { type Db, join, sql } from '@icosa/kernel'

/** Hosts that have something due and that nobody has; those that waited longest first. */
export async function dueHosts(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.many<{ host: string }>(sql`
    select host from (
      select host, due_at from podcast_directory.crawls v
      where due_at <= ${now}
        and not exists (select from podcast_directory.hosts h where h.host = v.host and h.until > ${now})
      order by due_at limit ${limit * 10}) as due
    group by host order by min(due_at) limit ${limit}`)
  return rows.map(({ host }) => host)
}

/**
 * Claims hosts until a time, each for the claim beside it; answers those that were free. Whoever is giving one back at this
 * moment is waited for.
 */
export async function claim(
  db: Db,
  wanted: readonly { readonly host: string; readonly claim: string }[],
  now: Date,
  until: Date,
): Promise<ReadonlySet<string>> {
  if (wanted.length === 0) return new Set()
  const sorted = [...wanted].sort((a, b) => (a.host < b.host ? -1 : 1)) // two that claim the same ones must not meet
  const rows = await db.many<{ host: string }>(sql`
    insert into podcast_directory.hosts as held (host, claim, until)
    values ${join(sorted.map((one) => sql`(${one.host}, ${one.claim}::uuid, ${until}::timestamptz)`))}
    on conflict (host) do update set claim = excluded.claim, until = excluded.until where held.until <= ${now}
    returning host`)
  return new Set(rows.map(({ host }) => host))
}

/** Keeps a host for longer. False if another one has it. */
export async function keep(db: Db, host: string, claimed: string, until: Date): Promise<boolean> {
  const kept = await db.run(sql`
    update podcast_directory.hosts set until = ${until} where host = ${host} and claim = ${claimed}`)
  return kept === 1
}

export async function giveBack(db: Db, host: string, claimed: string): Promise<void> {
  await db.run(sql`delete from podcast_directory.hosts where host = ${host} and claim = ${claimed}`)
}

/** Whether something is due at a host. */
export async function isDue(db: Db, host: string, now: Date): Promise<boolean> {
  const { due } = await db.one<{ due: boolean }>(sql`
    select exists (select from podcast_directory.crawls where host = ${host} and due_at <= ${now}) as due`)
  return due
}
