import { bearerCaller } from '@icosa/dialects/bearer'
import { Failure, type Incoming, type Platform, systemClock } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { storeName } from '../stores/address.ts'
import type { Directory, OpenStore } from './directory.ts'
import { unauthenticated } from './problems.ts'
import { isSignedBy, parseSigned, signedHash, signedValues, stringToSign } from './signature.ts'

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
  /** What the body must hash to, if that was signed. */
  readonly contentHash: string | undefined
}

/**
 * Lets a request in to a store, by one of its keys or by a token of its tenant, before its body is read. Without a
 * promise where the store is remembered: this is on the path of every request.
 */
export function admit(
  arriving: Arriving,
  name: string,
  right: Right,
  { credentials }: Pick<Platform, 'credentials'>,
  directory: Directory,
): Access | Promise<Access> {
  const authorization = String(arriving.headers.authorization ?? '')
  const space = authorization.indexOf(' ')
  const scheme = space < 0 ? '' : authorization.slice(0, space).toLowerCase()
  const find = () => (storeName.pattern.test(name) ? directory(name) : undefined)
  if (scheme === 'bearer') return byToken(arriving, name, right, credentials, find)
  if (scheme !== 'hmac-sha256') throw unauthenticated('Sign the request, or send a bearer token.')

  const parameters = authorization.slice(space + 1)
  const store = find()
  return store instanceof Promise
    ? store.then((found) => bySignature(arriving, parameters, found, right))
    : bySignature(arriving, parameters, store, right)
}

async function byToken(
  arriving: Arriving,
  name: string,
  right: Right,
  credentials: Platform['credentials'],
  find: () => ReturnType<Directory>,
): Promise<Access> {
  const caller = await bearerCaller(arriving, credentials)
  if (!caller) throw unauthenticated('Authorization token failed validation', 'Bearer')
  const store = await find()
  if (store?.tenant !== caller.tenant) throw new Failure('notFound', `The store '${name}' was not found.`)
  const permission = `${serviceName}:KeyValues_${right}`
  if (!caller.allows(permission)) throw new Failure('forbidden', `The credential lacks the permission ${permission}.`)
  return { store, contentHash: undefined }
}

function bySignature(arriving: Arriving, parameters: string, store: OpenStore | undefined, right: Right): Access {
  const { method, headers, target } = arriving
  const signed = parseSigned(parameters)
  const values = signedValues(signed, headers, systemClock.now())
  const key = store?.keys.get(signed.credential)
  if (!store || !key) throw unauthenticated('Invalid Credential', 'HMAC-SHA256')

  if (!isSignedBy(key.sign, signed, stringToSign(method, target, values))) {
    // Callers sign the address that they know, which a proxy may have changed on the way.
    const { pathname, search, host } = arriving.address()
    const known = values.map((value, index) => (signed.headers[index] === 'host' ? host : value))
    if (!isSignedBy(key.sign, signed, stringToSign(method, pathname + search, known)))
      throw unauthenticated('Invalid Signature', 'HMAC-SHA256')
  }
  if (right === 'Write' && key.readOnly)
    throw new Failure('forbidden', 'The access key is read-only: sign with one that may write.')
  return { store, contentHash: signedHash(signed, headers) }
}
