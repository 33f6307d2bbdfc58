import { bearerCaller } from '@icosa/dialects/bearer'
import { type Caller, type Context, type Credentials, Failure, type Incoming, systemClock } from '@icosa/kernel'
import type { Cipher } from '../../encryption/cipher.ts'
import type { DataKeys } from '../../encryption/data-keys.ts'
import { storeName } from '../../names.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { unauthenticated } from '../problems.ts'
import type { Directory, OpenStore } from './directory.ts'
import { isSignedBy, parseSigned, signedHash, signedValues, stringToSign } from './signature.ts'

/** A caller with access to a store. */
export class StoreCaller implements Caller {
  readonly id: string
  readonly allows: Caller['allows']
  readonly store: OpenStore
  /** Whether its access key is read-only. */
  readonly isReadOnly: boolean
  /** Signed hash of the body. */
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

/** Returns the store of a request. */
export function storeOf({ caller }: Pick<Context, 'caller'>): OpenStore {
  if (!(caller instanceof StoreCaller)) throw new Error('The caller has no store.')
  return caller.store
}

/**
 * Authenticates a request by one of the store's keys or by a token of its tenant, before its body is read. Without a
 * promise if the store is cached: this is on the path of every request.
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
  if (scheme === 'bearer')
    return byToken(incoming, name, credentials, find).then((caller) => withCipher(caller, dataKeys))
  if (scheme !== 'hmac-sha256') throw unauthenticated('Sign the request, or send a bearer token.')

  const parameters = authorization.slice(space + 1)
  const store = find()
  return store instanceof Promise
    ? store.then((openStore) => withCipher(bySignature(incoming, name, parameters, openStore), dataKeys))
    : withCipher(bySignature(incoming, name, parameters, store), dataKeys)
}

/** Adds the cipher of the store. Fails if the store's key is inaccessible, which blocks all access. */
function withCipher(caller: StoreCaller, dataKeys: DataKeys): StoreCaller | Promise<StoreCaller> {
  const { store } = caller
  if (!store.key) return caller
  const cipher = dataKeys.of(store, store.key)
  return cipher instanceof Promise ? cipher.then((loaded) => caller.with(loaded)) : caller.with(cipher)
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

function bySignature(
  { method, headers, target, url }: Incoming,
  name: string,
  parameters: string,
  store: OpenStore | undefined,
): StoreCaller {
  const signed = parseSigned(parameters)
  const values = signedValues(signed, headers, systemClock.now())
  const key = store?.keys.get(signed.credential)
  if (!store || !key) throw unauthenticated('Invalid Credential', 'HMAC-SHA256')

  const isSignedFor = (path: string, host?: string) => {
    const signedFor = values.map((value, index) => (host && signed.headers[index] === 'host' ? host : value))
    return isSignedBy(key.sign, signed, stringToSign(method, path, signedFor))
  }
  if (!isSignedFor(target) && !isSignedElsewhere(url, name, isSignedFor))
    throw unauthenticated('Invalid Signature', 'HMAC-SHA256')
  if (store.disableLocalAuth)
    throw new Failure('forbidden', 'The store does not accept access keys (disableLocalAuth): send a bearer token.')
  const caller = { id: signed.credential, allows: allowAll }
  return new StoreCaller(store, caller, key.readOnly, signedHash(signed, headers))
}

/**
 * Callers sign the public address, which a proxy may have rewritten; the oldest clients omit the port, and Python's take
 * all of the store's endpoint after `https://` for its host.
 */
function isSignedElsewhere(
  { pathname, search, host, hostname }: URL,
  name: string,
  isSignedFor: (path: string, host: string) => boolean,
): boolean {
  if ([host, hostname].some((publicHost) => isSignedFor(pathname + search, publicHost))) return true
  const [mount, ...rest] = pathname.split(`/stores/${name}/`)
  const path = rest.join(`/stores/${name}/`)
  return rest.length > 0 && isSignedFor(`/${path}${search}`, `${host}${mount}/stores/${name}`)
}

const allowAll = () => true
