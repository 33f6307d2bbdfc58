import { createHash, randomBytes } from 'node:crypto'
import type { Static } from '@icosa/contract'
import { type Detail, invalid } from '@icosa/kernel'
import { responseTypes } from '../protocol/contract.ts'
import type { clients } from './contract.ts'
import type { ClientRow } from './store.ts'

/** What an owner registers of a client. */
export type Metadata = Static<NonNullable<(typeof clients)['createClient']['body']>>
export type ClientObject = Static<(typeof clients)['getClient']['replies'][200]>

const sorted = (type: string) => type.split(' ').sort().join(' ')
/** The specification's spelling of a response type, in whatever order its words came. */
const spellings = new Map(responseTypes.map((type) => [sorted(type), type]))

/** Those of the library, which no node needs to start: handlers load them before their transaction. */
type Rules = typeof import('./registration-rules.ts')

/** With all that was left open filled in, or a failure that says what is wrong. */
export function completed(given: Metadata, rules: Rules): Metadata {
  const wrong: Detail[] = []
  const asked = (given.response_types ?? ['code']).map((type) => {
    const known = spellings.get(sorted(type))
    if (!known) wrong.push({ at: 'body/response_types', message: `'${type}' is none of ${responseTypes.join(', ')}` })
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
    response_types: [...new Set(asked)],
    application_type: given.application_type ?? 'web',
    token_endpoint_auth_method: given.token_endpoint_auth_method ?? 'client_secret_basic',
  }
  const grantTypes = rules.validateRegistration(forProvider({ id: 'new', secretHash: Buffer.alloc(32), metadata }))
  return { ...metadata, grant_types: grantTypes as NonNullable<Metadata['grant_types']> }
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
export function toClient({ id, metadata, createdAt }: ClientRow, secret?: string): ClientObject {
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
