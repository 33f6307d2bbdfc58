import { type ReadingDb, sql } from '@icosa/kernel'
import { keyVersionAt } from '../keys/store.ts'
import type { Revocation } from '../revocations/list.ts'

export interface Changes {
  /** All transactions before this one have ended and are included. */
  readonly seen: string
  readonly keyVersion: string
  readonly revocations: readonly Revocation[]
}

interface Row {
  readonly seen: string
  readonly keyVersion: string
  readonly subject: string | null
  readonly revokedAt: Date
  readonly expiresAt: Date
}

/**
 * Reads changes committed since the `seen` of a previous result; '0' for all. If transaction IDs were reset, as in a
 * database restored on another server, that is everything as well.
 */
export async function readChanges(db: ReadingDb, since: string, now: Date): Promise<Changes> {
  const rows = await db.many<Row>(sql`
    select state.seen::text as seen, state.key_version as "keyVersion",
      revocation.subject, revocation.revoked_at as "revokedAt", revocation.expires_at as "expiresAt"
    from (select pg_snapshot_xmin(pg_current_snapshot()) as seen, ${keyVersionAt(now)} as key_version) as state
    left join icosa.revocations as revocation on revocation.expires_at > clock_timestamp()
      and revocation.transaction >= case when state.seen < ${since}::xid8 then '0'::xid8 else ${since}::xid8 end`)
  const { seen = since, keyVersion = '' } = rows[0] ?? {}
  return {
    seen,
    keyVersion,
    revocations: rows.flatMap((row) => (row.subject === null ? [] : { ...row, subject: row.subject })),
  }
}
