import { createHash, randomBytes } from 'node:crypto'
import type { Static } from '@icosa/contract'
import { type Detail, invalid } from '@icosa/kernel'
import { responseTypes } from '../protocol/contract.ts'
import type { clients } from './contract.ts'
import type { ClientRow } from './store.ts'

export type Metadata = Static<NonNullable<(typeof clients)['createClient']['body']>>
export type ClientObject = Static<(typeof clients)['getClient']['replies'][200]>

const sorted = (type: string) => type.split(' ').sort().join(' ')
/** The specification's spelling of each response type, by its sorted words. */
const spellings = new Map(responseTypes.map((type) => [sorted(type), type]))

/** Loaded lazily by handlers, before their transaction. */
type Rules = typeof import('./registration-rules.ts')

/** Validates a registration, and fills in defaults. */
export function completed(registration: Metadata, rules: Rules): Metadata {
  const wrong: Detail[] = []
  const types = (registration.response_types ?? ['code']).map((type) => {
    const spelling = spellings.get(sorted(type))
    if (!spelling)
      wrong.push({ at: 'body/response_types', message: `'${type}' is not one of ${responseTypes.join(', ')}` })
    return spelling ?? type
  })
  for (const uri of registration.redirect_uris ?? [])
    if (isInsecure(uri)) wrong.push({ at: 'body/redirect_uris', message: `${uri} must use https, or http on loopback` })
  if (!registration.test_mode && (registration.redirect_uris ?? []).length === 0)
    wrong.push({ at: 'body/redirect_uris', message: 'is required: list the URLs to which users may be redirected' })
  if (wrong.length > 0) invalid(wrong)
  const home = registration.client_uri ?? originOf(registration.redirect_uris?.[0])
  const metadata: Metadata = {
    ...registration,
    client_name: registration.client_name ?? (home ? new URL(home).host : 'A client in test mode'),
    ...(home && { client_uri: home }),
    redirect_uris: registration.redirect_uris ?? [],
    response_types: [...new Set(types)],
    application_type: registration.application_type ?? 'web',
    token_endpoint_auth_method: registration.token_endpoint_auth_method ?? 'client_secret_basic',
  }
  const grantTypes = rules.validateRegistration(forProvider({ id: 'new', secretHash: Buffer.alloc(32), metadata }))
  return { ...metadata, grant_types: grantTypes as NonNullable<Metadata['grant_types']> }
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Codes and tokens must not travel unencrypted. */
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

/** Unused placeholder: the library requires a URI, but a client in test mode may have none. */
const noRedirect = 'https://test-mode.invalid/'

/** A client in the library's format, with the hash of its secret in place of the secret. */
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
