import type { Clock } from '../clock/clock.ts'
import { type Db, type ReadingDb, sql } from '../db/db.ts'

/**
 * A tenant's tag: its short, opaque and lasting name in credentials and addresses, by which a router finds the tenant's
 * cell without a lookup of the credential. Twelve letters or digits, without l, o, 0 and 1.
 */
export const tagPattern = '[a-km-np-z2-9]{12}'

/** Returns a tenant's tag, unless it is new to the platform. */
export const findTag = async (db: ReadingDb, tenant: string): Promise<string | undefined> =>
  (await db.maybe<Tagged>(sql`select tag from icosa.tenants where id = ${tenant}`))?.tag

/** Returns the tenant's tag. A tenant that is new to the platform is added. */
export async function tagOf(db: Db, clock: Pick<Clock, 'now'>, tenant: string): Promise<string> {
  const existing = await findTag(db, tenant)
  if (existing !== undefined) return existing
  const added = sql`
    insert into icosa.tenants (id, created_at) values (${tenant}, ${clock.now()})
    on conflict (id) do update set id = excluded.id returning tag`
  return (await db.one<Tagged>(added)).tag
}

interface Tagged {
  readonly tag: string
}

/** Tag in an API key. Keys from before tags are shorter. */
export const tagOfKey = (key: string): string | undefined => keyForm.exec(key)?.[1]

const keyForm = new RegExp(`^icosa_(${tagPattern})_[\\w-]{43}$`)

/** Tag in an access key ID, which is in upper case there. IDs from before tags are shorter. */
export const tagOfSigningId = (id: string): string | undefined => signingIdForm.exec(id)?.[1]?.toLowerCase()

const signingIdForm = new RegExp(`^(?:AKI|ASI)(${tagPattern.replace('a-km-np-z', 'A-KM-NP-Z')})[0-9A-F]{10}$`)
