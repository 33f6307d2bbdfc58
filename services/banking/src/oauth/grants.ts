import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type CellVault, type Db, Failure } from '@icosa/kernel'
import { insertKey } from '../access/store.ts'
import { newSecret } from '../access/tokens.ts'
import { documentStore } from '../documents/store.ts'
import { clients, isClientSecret, readClientId } from './applications.ts'

interface GrantBody {
  readonly redirectUri: string
  readonly state: string | null
  readonly codeHash: string
  /** When its code expires. */
  readonly expiresAt: string
}

/** Consents, stored for the user below the application. */
export const grants = documentStore<GrantBody>('OauthGrant')

const codeLifeMs = 5 * 60_000
const hashOf = (code: string) => createHash('sha256').update(code).digest()

export interface Consent {
  readonly user: string
  readonly client: string
  readonly redirectUri: string
  readonly state: string | null
}

/** Returns the authorization code. */
export async function grant(
  db: Db,
  tenant: string,
  { user, client, redirectUri, state }: Consent,
  at: Date,
): Promise<string> {
  const code = randomBytes(32).toString('hex')
  const expiresAt = new Date(at.getTime() + codeLifeMs).toISOString()
  const body = { redirectUri, state, codeHash: hashOf(code).toString('hex'), expiresAt }
  const id = await grants.insert(db, tenant, { user, parent: client }, { status: 'ASKED', body, at })
  return `${id}.${code}`
}

export interface Exchange {
  readonly client_id: string
  readonly client_secret: string
  readonly code: string
  readonly redirect_uri: string
}

/** Exchanges a code once, for the same application and redirect URI. */
export async function exchange(
  { db, cellVault, now }: { readonly db: Db; readonly cellVault: CellVault; readonly now: Date },
  request: Exchange,
): Promise<{ readonly token: string; readonly state: string | null }> {
  const application = await readClientId(cellVault, request.client_id)
  if (!application || !isClientSecret(application.vault, request.client_id, request.client_secret))
    throw new Failure('invalid', 'The client id or its secret is wrong.')
  const { tenant, id: client } = application
  if ((await clients.findAny(db, tenant, client))?.status !== 'ACTIVE')
    throw new Failure('invalid', 'This OAuth client is not active.')
  const [, id, code] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(request.code) ?? []
  const consent = id === undefined ? undefined : await grants.lock(db, tenant, id)
  const isValid =
    consent !== undefined &&
    code !== undefined &&
    consent.parent === client &&
    timingSafeEqual(hashOf(code), Buffer.from(consent.body.codeHash, 'hex')) &&
    consent.body.redirectUri === request.redirect_uri &&
    consent.status === 'ASKED' &&
    now < new Date(consent.body.expiresAt)
  if (!isValid) throw new Failure('invalid', 'The code is wrong, already used, expired, or for another redirect_uri.')
  await grants.update(db, tenant, consent.id, { status: 'ACTIVE', at: now })
  const { token, hash } = newSecret('sandbox', tenant)
  await insertKey(db, tenant, consent.user, hash, consent.id)
  return { token, state: consent.body.state }
}
