import { bearerCaller } from '@icosa/dialects/bearer'
import { type Caller, type Context, type Credentials, Failure, type Incoming, systemClock } from '@icosa/kernel'
import type { Cipher } from '../../encryption/cipher.ts'
import type { DataKeys } from '../../encryption/data-keys.ts'
import { storeName } from '../../names.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { unauthenticated } from '../problems.ts'
import type { Directory, OpenStore } from './directory.ts'
import { isSignedBy, parseSigned, signedHash, signedValues, stringToSign } from './signature.ts'

/** A caller who has access to a store. */
export class StoreCaller implements Caller {
  readonly id: string
  readonly allows: Caller['allows']
  readonly store: OpenStore
  /** By an access key that may not write. */
  readonly isReadOnly: boolean
  /** What the body must hash to, if that was signed. */
  readonly contentHash: string | undefined

  constructor(store: OpenStore, { id, allows }: Omit<Caller, 'tenant'>, isReadOnly = false, contentHash?: string) {
    this.id = id
    this.allows = allows
    this.store = store
    this.isReadOnly = isReadOnly
    this.contentHash = contentHash
  }

  get tenant() {
    return this.store.tenant
  }

  with(cipher: Cipher): StoreCaller {
    return new StoreCaller({ ...this.store, cipher }, this, this.isReadOnly, this.contentHash)
  }
}

/** The store that a request has access to. */
export function storeOf({ caller }: Pick<Context, 'caller'>): OpenStore {
  if (!(caller instanceof StoreCaller)) throw new Error('Only callers of a store get here.')
  return caller.store
}

/**
 * Lets a request in to a store, by one of its keys or by a token of its tenant, before its body is read. Without a
 * promise where the store is remembered: this is on the path of every request.
 */
export function authenticate(
  incoming: Incoming,
  credentials: Credentials,
  { directory, dataKeys }: ServiceRuntime,
): StoreCaller | Promise<StoreCaller> {
  const { configStoreName: name = '' } = incoming.params
  const authorization = String(incoming.headers.authorization ?? '')
  const space = authorization.indexOf(' ')
  const scheme = space < 0 ? '' : authorization.slice(0, space).toLowerCase()
  const find = () => (storeName.pattern.test(name) ? directory.find(name) : undefined)
  if (scheme === 'bearer') return byToken(incoming, name, credentials, find).then((caller) => opened(caller, dataKeys))
  if (scheme !== 'hmac-sha256') throw unauthenticated('Sign the request, or send a bearer token.')

  const parameters = authorization.slice(space + 1)
  const store = find()
  return store instanceof Promise
    ? store.then((found) => opened(bySignature(incoming, parameters, found), dataKeys))
    : opened(bySignature(incoming, parameters, store), dataKeys)
}

/** With what opens the values of the store: whoever may not use its key any more forbids all access to it. */
function opened(caller: StoreCaller, dataKeys: DataKeys): StoreCaller | Promise<StoreCaller> {
  const { store } = caller
  if (!store.key) return caller
  const cipher = dataKeys.of(store, store.key)
  return cipher instanceof Promise ? cipher.then((found) => caller.with(found)) : caller.with(cipher)
}

async function byToken(
  incoming: Incoming,
  name: string,
  credentials: Credentials,
  find: () => ReturnType<Directory['find']>,
): Promise<StoreCaller> {
  const caller = await bearerCaller(incoming, credentials)
  if (!caller) throw unauthenticated('Authorization token failed validation', 'Bearer')
  const store = await find()
  if (store?.tenant !== caller.tenant) throw new Failure('notFound', `The store '${name}' was not found.`)
  return new StoreCaller(store, caller)
}

function bySignature(incoming: Incoming, parameters: string, store: OpenStore | undefined): StoreCaller {
  const { method, headers, target } = incoming
  const signed = parseSigned(parameters)
  const values = signedValues(signed, headers, systemClock.now())
  const key = store?.keys.get(signed.credential)
  if (!store || !key) throw unauthenticated('Invalid Credential', 'HMAC-SHA256')

  if (!isSignedBy(key.sign, signed, stringToSign(method, target, values))) {
    // Callers sign the address that they know, which a proxy may have changed on the way; the oldest clients, without its port.
    const { pathname, search, host, hostname } = incoming.url
    const isSignedFor = (path: string, name: string) => {
      const known = values.map((value, index) => (signed.headers[index] === 'host' ? name : value))
      return isSignedBy(key.sign, signed, stringToSign(method, path, known))
    }
    const isRight =
      isSignedFor(pathname + search, host) || isSignedFor(target, hostname) || isSignedFor(pathname + search, hostname)
    if (!isRight) throw unauthenticated('Invalid Signature', 'HMAC-SHA256')
  }
  if (store.disableLocalAuth)
    throw new Failure('forbidden', 'The store takes no access keys (disableLocalAuth): send a bearer token.')
  const caller = { id: signed.credential, allows: everything }
  return new StoreCaller(store, caller, key.readOnly, signedHash(signed, headers))
}

const everything = () => true
