import { type Db, sql } from '@icosa/kernel'

/** Claims a host until a time. False if somebody has it; whoever is giving it back at this moment is waited for. */
export async function claim(db: Db, host: string, claimed: string, now: Date, until: Date): Promise<boolean> {
  const got = await db.run(sql`
    insert into podcast_directory.hosts as held (host, claim, until) values (${host}, ${claimed}, ${until})
    on conflict (host) do update set claim = excluded.claim, until = excluded.until where held.until <= ${now}`)
  return got === 1
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
