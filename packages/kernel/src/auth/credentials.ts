import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'
import type { Caller } from '../context.ts'
import { type Db, type ReadingDb, sql } from '../db/db.ts'
import { invalid, notFound } from '../errors.ts'
import { lookup } from '../memory/lookup.ts'
import { isPattern, operatorService, permissionsOf } from './permissions.ts'
import { tagOf } from './tags.ts'
import type { Tokens } from './tokens.ts'
import type { CellVault, Vault } from './vault.ts'

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

/** The only place where the secret is readable. */
export interface IssuedKey {
  readonly id: string
  readonly key: string
}
export interface IssuedSigningSecret {
  readonly id: string
  readonly secret: string
  /** For temporary credentials: requests must carry it. */
  readonly sessionToken?: string
}

const hashOf = (key: string) => createHash('sha256').update(key).digest()

/** Creates an API key. It has 256 random bits, so a fast hash protects it at rest. */
export async function createKey(db: Db, clock: Clock, credential: NewCredential): Promise<IssuedKey> {
  const id = `key_${randomBytes(9).toString('base64url')}`
  const tag = await tagOf(db, clock, checkedTenant(credential.tenant))
  const key = `icosa_${tag}_${randomBytes(32).toString('base64url')}`
  await insert(db, clock, { ...credential, id, keyHash: hashOf(key), signingSecret: null })
  return { id, key }
}

/** Creates an access key ID and its secret for signing requests; temporary ones also get a session token. */
export async function createSigningSecret(
  db: Db,
  clock: Clock,
  cellVault: CellVault,
  credential: NewCredential & { readonly session?: boolean },
): Promise<IssuedSigningSecret> {
  const tag = await tagOf(db, clock, checkedTenant(credential.tenant))
  const id = `${credential.session ? 'ASI' : 'AKI'}${tag}${randomBytes(5).toString('hex')}`.toUpperCase()
  const secret = randomBytes(30).toString('base64')
  const sessionToken = credential.session ? randomBytes(48).toString('base64') : undefined
  const sessionTokenHash = sessionToken === undefined ? null : hashOf(sessionToken)
  const signingSecret = (await cellVault.of(credential.tenant, db)).seal(secret, id)
  await insert(db, clock, { ...credential, id, keyHash: null, signingSecret, sessionTokenHash })
  return { id, secret, ...(sessionToken !== undefined && { sessionToken }) }
}

const checkedTenant = (tenant: string) =>
  /^[\w.@-]{1,100}$/.test(tenant)
    ? tenant
    : invalid([{ at: 'tenant', message: 'must be 1 to 100 letters, digits or . @ _ -' }])

export const developmentKeyId = 'key_dev'
export const developmentSigningId = 'AKIDEVELOPMENTMODE00'

/**
 * Replaces the key of development mode, which is also its signing secret. A well-known key must not outlive a move from
 * this machine to the network, so every start creates a new one.
 */
export async function replaceDevelopmentKey(db: Db, clock: Clock, cellVault: CellVault, key: string): Promise<void> {
  await db.run(sql`delete from icosa.credentials where development`)
  const shared = {
    tenant: 'dev',
    name: 'development mode',
    permissions: ['*', `${operatorService}:*`],
    development: true,
  }
  await tagOf(db, clock, shared.tenant)
  await insert(db, clock, { ...shared, id: developmentKeyId, keyHash: hashOf(key), signingSecret: null })
  const signingSecret = (await cellVault.of(shared.tenant, db)).seal(key, developmentSigningId)
  await insert(db, clock, { ...shared, id: developmentSigningId, keyHash: null, signingSecret })
}

interface Row extends NewCredential {
  readonly id: string
  readonly keyHash: Buffer | null
  readonly signingSecret: Buffer | null
  readonly sessionTokenHash?: Buffer | null
  readonly development?: boolean
}

async function insert(db: Db, clock: Clock, row: Row): Promise<void> {
  const invalidPatterns = row.permissions.filter((pattern) => !isPattern(pattern))
  if (invalidPatterns.length > 0 || row.permissions.length === 0)
    invalid([
      {
        at: 'permissions',
        message: `must be patterns such as '*' or 'backup:List*', not '${invalidPatterns.join(' ')}'`,
      },
    ])
  const now = clock.now()
  await db.run(sql`
    insert into icosa.credentials (id, tenant, name, key_hash, signing_secret, session_token_hash, permissions,
      created_at, expires_at, development)
    values (${row.id}, ${row.tenant}, ${row.name}, ${row.keyHash}, ${row.signingSecret}, ${row.sessionTokenHash ?? null},
      ${row.permissions}, ${now}, ${row.expiresAt ?? null}, ${row.development ?? false})`)
}

export async function listCredentials(db: ReadingDb, tenant?: string): Promise<CredentialInfo[]> {
  return db.many(sql`
    select id, tenant, name, case when key_hash is null then 'signing' else 'key' end as kind, permissions,
      created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"
    from icosa.credentials where ${tenant ?? null}::text is null or tenant = ${tenant ?? null}
    order by tenant, created_at, id limit 10000`)
}

/** Returns the credential, or undefined if it is expired, revoked or missing. */
export function credentialById(db: ReadingDb, clock: Clock, id: string): Promise<NewCredential | undefined> {
  return db.maybe(sql`
    select tenant, name, permissions from icosa.credentials
    where id = ${id} and revoked_at is null and (expires_at is null or expires_at > ${clock.now()})`)
}

/** Revokes a credential and the tokens issued to it. Returns its tenant. */
export async function revokeCredential(db: Db, clock: Clock, id: string): Promise<string> {
  const revoked = await db.maybe<{ tenant: string }>(sql`
    with revoked as (
      update icosa.credentials set revoked_at = coalesce(revoked_at, ${clock.now()}) where id = ${id} returning id, tenant),
    refused as (insert into icosa.revocations (subject) select id from revoked)
    select tenant from revoked`)
  return (revoked ?? notFound('credential', id)).tenant
}

/** May have expired: signature verification reports that, but only to callers who know the secret. */
export interface SigningSecret {
  readonly caller: Caller
  readonly secret: string
  readonly sessionTokenHash: Buffer | undefined
  readonly expiresAt: Date | null
}

/** Looks up credentials through a one-second cache: a revoked key works for up to one second longer. */
export interface Credentials {
  byKey(key: string): Caller | undefined | Promise<Caller | undefined>
  bySigningId(id: string): SigningSecret | undefined | Promise<SigningSecret | undefined>
  byToken(token: string): Caller | undefined | Promise<Caller | undefined>
}

/** Accepts credentials of development mode only if `development` is set. */
export function credentials(
  db: ReadingDb,
  clock: Clock,
  cellVault: CellVault,
  tokens?: Tokens,
  development: boolean = false,
): Credentials {
  const selectCaller = development ? selectValid : sql`${selectValid} and not development`
  const keys = lookup('keys', async (requested) => {
    const byHash = new Map(requested.map((key) => [hashOf(key).toString('hex'), key]))
    const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
    const rows = await db.many<Found & { keyHash: Buffer }>(sql`${selectCaller} and key_hash = any(${hashes})`)
    return new Map(
      rows.map((row) => [
        byHash.get(row.keyHash.toString('hex')) as string,
        { ...toCaller(row), expiresAt: row.expiresAt },
      ]),
    )
  })
  const stillValid = (caller: (Caller & { expiresAt: Date | null }) | undefined) =>
    caller && (caller.expiresAt === null || caller.expiresAt > clock.now()) ? caller : undefined

  return {
    byToken: (token) => tokens?.verify(token),
    byKey(key) {
      const caller = keys(key)
      return caller instanceof Promise ? caller.then(stillValid) : stillValid(caller)
    },
    bySigningId: lookup('signing secrets', async (ids) => {
      const rows = await db.many<Found & { sealed: Buffer; sessionTokenHash: Buffer | null }>(sql`
        ${selectCaller} and id = any(${ids}) and signing_secret is not null`)
      const vaults = await Promise.all(rows.map(({ tenant }) => cellVault.find(tenant)))
      return new Map(
        rows.map((row, index) => {
          const { id, sealed, sessionTokenHash, expiresAt } = row
          const secret = (vaults[index] as Vault).open(sealed, id)
          return [id, { caller: toCaller(row), secret, sessionTokenHash: sessionTokenHash ?? undefined, expiresAt }]
        }),
      )
    }),
  }
}

interface Found {
  readonly id: string
  readonly tenant: string
  readonly permissions: string[]
  readonly expiresAt: Date | null
}

const selectValid = sql`
  select id, tenant, permissions, key_hash as "keyHash", signing_secret as sealed,
    session_token_hash as "sessionTokenHash", expires_at as "expiresAt"
  from icosa.credentials where revoked_at is null`

const toCaller = ({ id, tenant, permissions }: Found): Caller => ({ id, tenant, allows: permissionsOf(permissions) })
