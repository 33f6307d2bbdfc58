import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly usedAt: Date | null
}

export interface Credential {
  readonly id: string
  readonly person: string
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: string[]
}

export interface NewPasskey extends Credential {
  readonly name: string
}

const columns = sql`id, name, created_at as "createdAt", used_at as "usedAt"`
const credentialColumns = sql`id, person, credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports`

/** Returns undefined if the credential is already registered. */
export function insert(db: Db, passkey: NewPasskey, now: Date): Promise<Passkey | undefined> {
  const { id, person, credentialId, name, publicKey, counter, transports } = passkey
  return db.maybe(sql`
    insert into identity_connect.passkeys
      (id, person, credential_id, name, public_key, counter, transports, created_at)
    values (${id}, ${person}, ${credentialId}, ${name}, ${publicKey}, ${counter}, ${transports}, ${now})
    on conflict (credential_id) do nothing returning ${columns}`)
}

export function list(db: ReadingDb, person: string): Promise<Passkey[]> {
  return db.many(sql`
    select ${columns} from identity_connect.passkeys where person = ${person} order by created_at, id`)
}

export function credentialsOf(db: ReadingDb, person: string): Promise<Credential[]> {
  return db.many(sql`select ${credentialColumns} from identity_connect.passkeys where person = ${person} order by id`)
}

export function findCredential(db: ReadingDb, credentialId: string): Promise<Credential | undefined> {
  return db.maybe(sql`
    select ${credentialColumns} from identity_connect.passkeys where credential_id = ${credentialId}`)
}

/** Returns false if the counter does not increase, unless it is always 0, so that an assertion counts once. */
export async function countUse(db: Db, id: string, counter: number, now: Date): Promise<boolean> {
  const counted = await db.run(sql`
    update identity_connect.passkeys set counter = ${counter}, used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`)
  return counted === 1
}

export async function rename(db: Db, person: string, id: string, name: string): Promise<boolean> {
  const renamed = await db.run(sql`
    update identity_connect.passkeys set name = ${name} where person = ${person} and id = ${id}`)
  return renamed === 1
}

export async function remove(db: Db, person: string, id: string): Promise<boolean> {
  return (await db.run(sql`delete from identity_connect.passkeys where person = ${person} and id = ${id}`)) === 1
}

export type ChallengePurpose = 'register' | 'authenticate'

export interface Challenge {
  readonly challenge: string
  readonly purpose: ChallengePurpose
  readonly person: string | null
}

export async function insertChallenge(db: Db, { challenge, purpose, person }: Challenge, expiresAt: Date) {
  await db.run(sql`
    insert into identity_connect.challenges (challenge, purpose, person, expires_at)
    values (${challenge}, ${purpose}, ${person}, ${expiresAt})`)
}

/** Returns false if it is used, expired, or for another purpose or user. */
export async function consumeChallenge(db: Db, { challenge, purpose, person }: Challenge, now: Date): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from identity_connect.challenges where challenge = ${challenge} and purpose = ${purpose}
      and person is not distinct from ${person} and expires_at > ${now}`)
  return deleted === 1
}

export function pruneChallenges(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from identity_connect.challenges where expires_at <= ${now}`)
}
