import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Secret {
  readonly id: string
  readonly hash: string | null
}

export function findByEmail(db: ReadingDb, email: string): Promise<Secret | undefined> {
  return db.maybe(sql`
    select id, password_hash as hash from identity_connect.people where lower(email) = lower(${email})`)
}

export function findById(db: ReadingDb, person: string): Promise<Secret | undefined> {
  return db.maybe(sql`select id, password_hash as hash from identity_connect.people where id = ${person}`)
}

export async function setHash(db: Db, person: string, hash: string | null): Promise<void> {
  await db.run(sql`update identity_connect.people set password_hash = ${hash} where id = ${person}`)
}

/** Compare and swap: returns false if the password was changed meanwhile. */
export async function replaceHash(db: Db, person: string, old: string | null, hash: string): Promise<boolean> {
  const replaced = await db.run(sql`
    update identity_connect.people set password_hash = ${hash}
    where id = ${person} and password_hash is not distinct from ${old}`)
  return replaced === 1
}
