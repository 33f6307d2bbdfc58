import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Static } from '@icosa/contract'
import { type Detail, Failure, invalid } from '@icosa/kernel'
import { type Client, errors, Provider } from 'oidc-provider'
import { allowTokenAlone, protocolPolicy } from '../provider/policy.ts'
import type { clients } from './contract.ts'
import type { ClientRow } from './store.ts'

/** What an owner registers of a client. */
export type Metadata = Static<NonNullable<(typeof clients)['createClient']['body']>>
export type ClientObject = Static<(typeof clients)['getClient']['replies'][200]>

const spelled = [
  'code',
  'id_token',
  'token',
  'token id_token',
  'code id_token',
  'code token',
  'code token id_token',
] as const
const sorted = (type: string) => type.split(' ').sort().join(' ')
/** The specification's spelling of a response type, in whatever order its words came. */
const spellings = new Map<string, string>(spelled.map((type) => [sorted(type), type]))

/** With all that was left open filled in, or a failure that says what is wrong. */
export function completed(given: Metadata): Metadata {
  const wrong: Detail[] = []
  const responseTypes = (given.response_types ?? ['code']).map((type) => {
    const known = spellings.get(sorted(type))
    if (!known) wrong.push({ at: 'body/response_types', message: `'${type}' is none of ${spelled.join(', ')}` })
    return known ?? type
  })
  for (const uri of given.redirect_uris ?? [])
    if (isInsecure(uri)) wrong.push({ at: 'body/redirect_uris', message: `${uri} must use https, or http on loopback` })
  if (!given.test_mode && (given.redirect_uris ?? []).length === 0)
    wrong.push({ at: 'body/redirect_uris', message: 'is required: where may people be sent back to?' })
  if (wrong.length > 0) invalid(wrong)
  const home = given.client_uri ?? originOf(given.redirect_uris?.[0])
  const metadata: Metadata = {
    ...given,
    client_name: given.client_name ?? (home ? new URL(home).host : 'A client in test mode'),
    ...(home && { client_uri: home }),
    redirect_uris: given.redirect_uris ?? [],
    response_types: [...new Set(responseTypes)],
    application_type: given.application_type ?? 'web',
    token_endpoint_auth_method: given.token_endpoint_auth_method ?? 'client_secret_basic',
  }
  const accepted = accept(forProvider({ id: 'new', secretHash: Buffer.alloc(32), metadata }))
  return { ...metadata, grant_types: accepted as NonNullable<Metadata['grant_types']> }
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A code or a token that travels in the open is anybody's. */
function isInsecure(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && !loopback.has(url.hostname)
}

export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && loopback.has(url.hostname) && url.hash === '' && url.username === ''
}

function originOf(uri: string | undefined): string | undefined {
  const origin = uri === undefined || !URL.canParse(uri) ? 'null' : new URL(uri).origin
  return origin === 'null' ? undefined : origin
}

let judge: Provider | undefined

/** It only judges clients, so its keys are of no importance; without any the library would warn of its own. */
function newJudge(): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig' as const }
  const provider = new Provider('https://registration.invalid', {
    ...protocolPolicy(),
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['none are set'] },
    adapter: nothingStored,
  })
  allowTokenAlone(provider)
  return provider
}

const nothing = async () => undefined
const nothingStored = () => ({
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
})

/** The library has the rules of OpenID's client registration; answers the grant types that follow. */
function accept(metadata: object): readonly string[] {
  judge ??= newJudge()
  // The library's types know clients only as something to read.
  const Client = judge.Client as unknown as new (metadata: object) => Client
  try {
    return new Client(metadata).grantTypes ?? []
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error
    throw new Failure('invalid', error.error_description ?? error.message, { code: error.error })
  }
}

/** Never reached: the library wants at least one, and a client in test mode may have none. */
const noRedirect = 'https://test-mode.invalid/'

/** A client as the library wants it. Its secret is compared by hash, so the hash stands in its place. */
export function forProvider({ id, secretHash, metadata }: Pick<ClientRow, 'id' | 'secretHash' | 'metadata'>): object {
  const { default_scopes, response_types = [], redirect_uris = [], ...rest } = metadata
  return {
    ...rest,
    client_id: id,
    ...(secretHash && { client_secret: secretHash.toString('base64url') }),
    redirect_uris: redirect_uris.length > 0 ? redirect_uris : [noRedirect],
    response_types: response_types.map(sorted),
  }
}

/** A client as callers see it. */
export function shown({ id, metadata, createdAt }: ClientRow, secret?: string): ClientObject {
  return {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
    ...metadata,
  }
}

export const newClientId = () => `app_${randomBytes(15).toString('base64url')}`
export const newSecret = () => randomBytes(32).toString('base64url')
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest()
