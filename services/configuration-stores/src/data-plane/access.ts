import { bearerCaller } from '@icosa/dialects/bearer'
import { Failure, type Incoming, type Platform, systemClock } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { storeName } from '../stores/address.ts'
import type { Directory, OpenStore } from './directory.ts'
import { unauthenticated } from './problems.ts'
import { checkContent, isSignedBy, parseSigned, signedValues, stringToSign } from './signature.ts'

export type Right = 'Read' | 'Write'

export interface Arriving extends Pick<Incoming, 'method' | 'headers'> {
  /** Path and query as they stand in the request. */
  readonly target: string
  /** The address as the caller knows it. */
  address(): URL
}

/** Whom a request is let in to. */
export interface Access {
  readonly store: OpenStore
  /** Holds a body against what was signed of it. */
  checkBody(body: Uint8Array): void
}

/** Lets a request in to a store, by one of its keys or by a token of its tenant, before its body is read. */
export async function admit(
  arriving: Arriving,
  name: string,
  right: Right,
  { credentials }: Pick<Platform, 'credentials'>,
  directory: Directory,
): Promise<Access> {
  const [, scheme, parameters = ''] = /^(\S+) +(.*)$/.exec(String(arriving.headers.authorization ?? '')) ?? []
  const find = async () => (storeName.pattern.test(name) ? directory(name) : undefined)
  if (scheme?.toLowerCase() === 'hmac-sha256') return bySignature(arriving, parameters, await find(), right)
  if (scheme?.toLowerCase() !== 'bearer') throw unauthenticated('Sign the request, or send a bearer token.')

  const caller = await bearerCaller({ ...arriving, url: arriving.address() }, credentials)
  if (!caller) throw unauthenticated('Authorization token failed validation', 'Bearer')
  const store = await find()
  if (store?.tenant !== caller.tenant) throw new Failure('notFound', `The store '${name}' was not found.`)
  const permission = `${serviceName}:KeyValues_${right}`
  if (!caller.allows(permission)) throw new Failure('forbidden', `The credential lacks the permission ${permission}.`)
  return { store, checkBody: () => {} }
}

function bySignature(arriving: Arriving, parameters: string, store: OpenStore | undefined, right: Right): Access {
  const { method, headers, target } = arriving
  const signed = parseSigned(parameters)
  const values = signedValues(signed, headers, systemClock.now())
  const key = store?.keys.get(signed.credential)
  if (!store || !key) throw unauthenticated('Invalid Credential', 'HMAC-SHA256')

  const isSigned = (path: string, all: readonly string[]) =>
    isSignedBy(key.secret, signed, stringToSign(method, path, all))
  if (!isSigned(target, values)) {
    // Callers sign the address that they know, which a proxy may have changed on the way.
    const { pathname, search, host } = arriving.address()
    const known = values.map((value, index) => (signed.headers[index] === 'host' ? host : value))
    if (!isSigned(pathname + search, known)) throw unauthenticated('Invalid Signature', 'HMAC-SHA256')
  }
  if (right === 'Write' && key.readOnly)
    throw new Failure('forbidden', 'The access key is read-only: sign with one that may write.')
  return { store, checkBody: (body) => checkContent(headers, signed.headers, body) }
}
