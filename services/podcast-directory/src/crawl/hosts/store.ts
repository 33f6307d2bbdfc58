import { type Db, sql } from '@icosa/kernel'

/** Leases a host until a time. False if it is leased; waits for a concurrent release. */
export async function acquire(db: Db, host: string, claim: string, now: Date, until: Date): Promise<boolean> {
  const rows = await db.run(sql`
    insert into podcast_directory.hosts as lease (host, claim, until) values (${host}, ${claim}, ${until})
    on conflict (host) do update set claim = excluded.claim, until = excluded.until where lease.until <= ${now}`)
  return rows === 1
}

/** Extends a lease. False if it was lost. */
export async function renew(db: Db, host: string, claim: string, until: Date): Promise<boolean> {
  const rows = await db.run(sql`
    update podcast_directory.hosts set until = ${until} where host = ${host} and claim = ${claim}`)
  return rows === 1
}

export async function release(db: Db, host: string, claim: string): Promise<void> {
  await db.run(sql`delete from podcast_directory.hosts where host = ${host} and claim = ${claim}`)
}
