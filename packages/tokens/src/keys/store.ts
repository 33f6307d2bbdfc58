import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { JWK } from 'jose'
import type { NewKey } from './generate.ts'

export interface KeyInfo {
  readonly kid: string
  readonly alg: string
  readonly generation: number
  readonly createdAt: Date
  /** Earliest time to sign; it is published before. */
  readonly signsFrom: Date
  /** Time of withdrawal; null until the next generation is created. */
  readonly publishedUntil: Date | null
}

export interface PublicKey {
  readonly kid: string
  readonly alg: string
  readonly publicJwk: JWK
}

const columns = sql`
  kid, alg, generation, created_at as "createdAt", signs_from as "signsFrom", published_until as "publishedUntil"`

const publishedAt = (now: Date) => sql`(published_until is null or published_until > ${now})`

/** Signing keys first, whatever the clock did: there is always a first one. */
const signingFirst = (now: Date) => sql`(signs_from <= ${now}) desc, generation desc, alg`

/** Changes when the published keys or their order change, even by time alone. */
export const keyVersionAt = (now: Date): Sql => sql`(
  select coalesce(string_agg(kid, ' ' order by ${signingFirst(now)}), '') from icosa.signing_keys
  where ${publishedAt(now)})`

/** The same, from the keys in order. */
export const versionOf = (keys: readonly { readonly kid: string }[]) => keys.map(({ kid }) => kid).join(' ')

export interface Generation {
  readonly keys: readonly NewKey[]
  readonly createdAt: Date
  readonly signsFrom: Date
}

export async function insertGeneration(db: Db, { keys, createdAt, signsFrom }: Generation): Promise<void> {
  const { next } = await db.one<{ next: number }>(
    sql`select coalesce(max(generation), 0) + 1 as next from icosa.signing_keys`,
  )
  for (const { kid, alg, publicJwk, sealedPrivateJwk } of keys) {
    await db.run(sql`
      insert into icosa.signing_keys (kid, generation, alg, public_jwk, private_jwk, created_at, signs_from)
      values (${kid}, ${next}, ${alg}, ${publicJwk}, ${sealedPrivateJwk}, ${createdAt}, ${signsFrom})`)
  }
}

/** Withdraws all keys at this time; earlier withdrawals stay. */
export async function withdrawAll(db: Db, at: Date): Promise<void> {
  await db.run(sql`update icosa.signing_keys set published_until = least(published_until, ${at})`)
}

/** Creation time of the newest generation. */
export async function newestCreatedAt(db: ReadingDb): Promise<Date | undefined> {
  const row = await db.maybe<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from icosa.signing_keys order by generation desc limit 1`)
  return row?.createdAt
}

export async function listKeys(db: ReadingDb, now: Date): Promise<KeyInfo[]> {
  return db.many(sql`select ${columns} from icosa.signing_keys order by ${signingFirst(now)}`)
}

export async function readPrivateKeys(db: ReadingDb, now: Date): Promise<{ kid: string; sealed: Buffer }[]> {
  return db.many(sql`
    select kid, private_jwk as sealed from icosa.signing_keys where ${publishedAt(now)} order by ${signingFirst(now)}`)
}

export async function readPublicKeys(db: ReadingDb, now: Date): Promise<PublicKey[]> {
  return db.many(sql`
    select kid, alg, public_jwk as "publicJwk" from icosa.signing_keys where ${publishedAt(now)}
    order by ${signingFirst(now)}`)
}

export async function readVersion(db: ReadingDb, now: Date): Promise<string> {
  return (await db.one<{ version: string }>(sql`select ${keyVersionAt(now)} as version`)).version
}

export async function deleteWithdrawn(db: Db, now: Date): Promise<number> {
  return db.run(sql`delete from icosa.signing_keys where published_until <= ${now}`)
}
