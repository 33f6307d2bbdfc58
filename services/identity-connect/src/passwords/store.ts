import { type Db, sql } from '@icosa/kernel'

export interface Secret {
  readonly id: string
  readonly hash: string | null
}

export function findByEmail(db: Db, email: string): Promise<Secret | undefined> {
  return db.maybe(sql`
    select id, password_hash as hash from identity_connect.people where lower(email) = lower(${email})`)
}

export async function setHash(db: Db, person: string, hash: string | null): Promise<void> {
  await db.run(sql`update identity_connect.people set password_hash = ${hash} where id = ${person}`)
}

/** Only while the old one still stands: the password may have been changed meanwhile. */
export async function replaceHash(db: Db, person: string, old: string, hash: string): Promise<void> {
  await db.run(sql`
    update identity_connect.people set password_hash = ${hash} where id = ${person} and password_hash = ${old}`)
}
