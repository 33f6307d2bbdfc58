import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'
import type { Caller } from '../context.ts'
import { type Db, sql } from '../db/db.ts'
import { invalid, notFound } from '../errors.ts'
import { isPattern, permissionsOf } from './permissions.ts'
import type { Tokens } from './tokens.ts'
import type { Vault } from './vault.ts'

export interface NewCredential {
  readonly tenant: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly expiresAt?: Date | undefined
}

export interface CredentialInfo {
  readonly id: string
  readonly tenant: string
  readonly name: string
  readonly kind: 'key' | 'signing'
  readonly permissions: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
}

/** The secret is shown once, here. */
export interface IssuedKey {
  readonly id: string
  readonly key: string
}
export interface IssuedSigningSecret {
  readonly id: string
  readonly secret: string
}

const hashOf = (key: string) => createHash('sha256').update(key).digest()

/** An API key: 256 random bits, so a fast hash is enough to keep it safe at rest. */
export async function createKey(db: Db, clock: Clock, credential: NewCredential): Promise<IssuedKey> {
  const id = `key_${randomBytes(9).toString('base64url')}`
  const key = `icosa_${randomBytes(32).toString('base64url')}`
  await insert(db, clock, { ...credential, id, keyHash: hashOf(key), signingSecret: null })
  return { id, key }
}

/** A key that is known beforehand: the one that development mode prints. */
export async function ensureKey(db: Db, clock: Clock, credential: NewCredential & IssuedKey): Promise<void> {
  if (await db.maybe(sql`select 1 from icosa.credentials where key_hash = ${hashOf(credential.key)}`)) return
  await insert(db, clock, { ...credential, keyHash: hashOf(credential.key), signingSecret: null })
}

/** An access key id with a secret that signs requests. */
export async function createSigningSecret(
  db: Db,
  clock: Clock,
  vault: Vault,
  credential: NewCredential,
): Promise<IssuedSigningSecret> {
  const id = `AKI${randomBytes(10).toString('hex').toUpperCase().slice(0, 17)}`
  const secret = randomBytes(30).toString('base64')
  await insert(db, clock, { ...credential, id, keyHash: null, signingSecret: vault.seal(secret, id) })
  return { id, secret }
}

interface Row extends NewCredential {
  readonly id: string
  readonly keyHash: Buffer | null
  readonly signingSecret: Buffer | null
}

async function insert(db: Db, clock: Clock, row: Row): Promise<void> {
  const wrong = row.permissions.filter((pattern) => !isPattern(pattern))
  if (wrong.length > 0 || row.permissions.length === 0)
    invalid([{ at: 'permissions', message: `are patterns such as '*' or 'backup:List*', not '${wrong.join(' ')}'` }])
  if (!/^[\w.@-]{1,100}$/.test(row.tenant))
    invalid([{ at: 'tenant', message: 'has 1 to 100 letters, digits, . @ _ -' }])
  const now = clock.now()
  await db.run(sql`insert into icosa.tenants (id, created_at) values (${row.tenant}, ${now}) on conflict do nothing`)
  await db.run(sql`
    insert into icosa.credentials (id, tenant, name, key_hash, signing_secret, permissions, created_at, expires_at)
    values (${row.id}, ${row.tenant}, ${row.name}, ${row.keyHash}, ${row.signingSecret}, ${row.permissions}, ${now},
      ${row.expiresAt ?? null})`)
}

export async function listCredentials(db: Db, tenant?: string): Promise<CredentialInfo[]> {
  return db.many(sql`
    select id, tenant, name, case when key_hash is null then 'signing' else 'key' end as kind, permissions,
      created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"
    from icosa.credentials where ${tenant ?? null}::text is null or tenant = ${tenant ?? null}
    order by tenant, created_at, id limit 10000`)
}

/** Whose credential it is and what it allows; undefined if it is not valid any more. */
export function credentialById(db: Db, clock: Clock, id: string): Promise<NewCredential | undefined> {
  return db.maybe(sql`
    select tenant, name, permissions from icosa.credentials
    where id = ${id} and revoked_at is null and (expires_at is null or expires_at > ${clock.now()})`)
}

/** The tokens that were issued to it are refused, too. */
export async function revokeCredential(db: Db, clock: Clock, id: string): Promise<void> {
  const revoked = await db.run(sql`
    with revoked as (
      update icosa.credentials set revoked_at = coalesce(revoked_at, ${clock.now()}) where id = ${id} returning id)
    insert into icosa.revocations (subject) select id from revoked`)
  if (revoked === 0) notFound('credential', id)
}

export interface SigningSecret {
  readonly caller: Caller
  readonly secret: string
}

/** Checks credentials. What it found is believed for a second: so long does a revoked key still work. */
export interface Credentials {
  /** The caller whose key this is. */
  byKey(key: string): Caller | undefined | Promise<Caller | undefined>
  bySigningId(id: string): SigningSecret | undefined | Promise<SigningSecret | undefined>
  byToken(token: string): Caller | undefined | Promise<Caller | undefined>
}

const believedMs = 1_000
const cachedLimit = 100_000

export function credentials(db: Db, clock: Clock, vault: Vault, tokens?: Tokens): Credentials {
  return {
    byToken: (token) => tokens?.verify(token),
    byKey: remembered(async (key) => {
      const row = await db.maybe<Found>(sql`${selectCaller} where key_hash = ${hashOf(key)}`)
      return row && { ...toCaller(row), expiresAt: row.expiresAt }
    }),
    bySigningId: remembered(async (id) => {
      const row = await db.maybe<Found & { sealed: Buffer }>(sql`
        ${selectCaller} where id = ${id} and signing_secret is not null`)
      return row && { caller: toCaller(row), secret: vault.open(row.sealed, id), expiresAt: row.expiresAt }
    }),
  }

  /** Answers from memory without a promise, since this is on the path of every request. */
  function remembered<T extends { expiresAt: Date | null }>(find: (key: string) => Promise<T | undefined>) {
    const cache = new Map<string, { readonly found: T; readonly until: number }>()
    const asking = new Map<string, Promise<T | undefined>>()

    /** Many requests may want to know at once; one of them asks. */
    function ask(key: string): Promise<T | undefined> {
      let answer = asking.get(key)
      if (!answer) {
        answer = find(key).finally(() => asking.delete(key))
        asking.set(key, answer)
      }
      return answer
    }

    return (key: string): T | undefined | Promise<T | undefined> => {
      const entry = cache.get(key)
      if (entry && entry.until > performance.now()) return stillValid(entry.found)
      return ask(key).then((found) => {
        if (cache.size >= cachedLimit) cache.clear()
        if (found) cache.set(key, { found, until: performance.now() + believedMs })
        else cache.delete(key)
        return found && stillValid(found)
      })
    }
  }

  function stillValid<T extends { expiresAt: Date | null }>(found: T): T | undefined {
    return found.expiresAt === null || found.expiresAt > clock.now() ? found : undefined
  }
}

interface Found {
  readonly id: string
  readonly tenant: string
  readonly permissions: string[]
  readonly expiresAt: Date | null
}

const selectCaller = sql`
  select id, tenant, permissions, signing_secret as sealed, expires_at as "expiresAt"
  from (select * from icosa.credentials where revoked_at is null) as valid`

const toCaller = ({ id, tenant, permissions }: Found): Caller => ({ id, tenant, allows: permissionsOf(permissions) })
