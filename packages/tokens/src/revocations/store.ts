import { type Db, sql } from '@icosa/kernel'

const hourMs = 3_600_000

/**
 * Revokes every token with this name, on every node within a second. The name of a token, grant or session is revoked
 * for good; that of a person, credential or client for tokens issued up to now, so that new ones work. Kept for longer
 * than any token is valid.
 */
export async function revoke(db: Db, subject: string, ttlMs: number = 25 * hourMs): Promise<void> {
  await db.run(sql`
    insert into icosa.revocations (subject, expires_at)
    values (${subject}, clock_timestamp() + ${ttlMs}::float8 * interval '1 millisecond')`)
}

/** Deletes revocations that no valid token can match. Returns their number. */
export async function pruneRevocations(db: Db): Promise<number> {
  return db.run(sql`delete from icosa.revocations where expires_at <= clock_timestamp()`)
}
