import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Db, Failure, type Vault } from '@icosa/kernel'
import { insertKey } from '../access/store.ts'
import { newSecret } from '../access/tokens.ts'
import { records } from '../records/store.ts'
import { clients, isClientSecret, readClientId } from './applications.ts'

interface GrantBody {
  readonly redirectUri: string
  readonly state: string | null
  readonly codeHash: string
  /** Until when its code can be exchanged. */
  readonly expiresAt: string
}

/** What users have let applications do: of the user, below the application. */
export const grants = records<GrantBody>('OauthGrant')

const codeLifeMs = 5 * 60_000
const hashOf = (code: string) => createHash('sha256').update(code).digest()

export interface Consent {
  readonly user: string
  readonly client: string
  readonly redirectUri: string
  readonly state: string | null
}

/** Answers the code by which the application gets its token. */
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

/** A code is exchanged once, by the application that it was made for, from where its user came back to. */
export async function exchange(
  { db, vault, now }: { readonly db: Db; readonly vault: Vault; readonly now: Date },
  asked: Exchange,
): Promise<{ readonly token: string; readonly state: string | null }> {
  const application = readClientId(vault, asked.client_id)
  if (!application || !isClientSecret(vault, asked.client_id, asked.client_secret))
    throw new Failure('invalid', 'The client id or its secret is wrong.')
  const { tenant, id: client } = application
  if ((await clients.findAny(db, tenant, client))?.status !== 'ACTIVE')
    throw new Failure('invalid', 'This OAuth client is not active.')
  const [, id, code] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(asked.code) ?? []
  const found = id === undefined ? undefined : await grants.lock(db, tenant, id)
  const isRight =
    found !== undefined &&
    code !== undefined &&
    found.parent === client &&
    timingSafeEqual(hashOf(code), Buffer.from(found.body.codeHash, 'hex')) &&
    found.body.redirectUri === asked.redirect_uri &&
    found.status === 'ASKED' &&
    now < new Date(found.body.expiresAt)
  if (!isRight)
    throw new Failure('invalid', 'The code is wrong, was used already, is too old, or is for another redirect_uri.')
  await grants.update(db, tenant, found.id, { status: 'ACTIVE', at: now })
  const { token, hash } = newSecret('sandbox', tenant)
  await insertKey(db, tenant, found.user, hash, found.id)
  return { token, state: found.body.state }
}
