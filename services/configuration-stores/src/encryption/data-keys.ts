import { randomBytes, randomUUID } from 'node:crypto'
import { expiringCache, Failure, type KeyUse, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { type Cipher, cipherOf } from './cipher.ts'

/** A stored data key, wrapped by a key of an HSM. */
export interface WrappedKey {
  readonly dataKey: string
  readonly wrappedBy: string
  readonly wrapped: Buffer
}

/** The store of a data key. The HSM key's access policy and audit log know it by name. */
export interface KeyOwner {
  readonly tenant: string
  readonly id: string
  readonly name: string
}

/** Data keys of stores, cached on a node. */
export interface DataKeys {
  /** Returns a store's cipher, without a promise if it is cached. */
  of(owner: KeyOwner, key: WrappedKey): Cipher | Promise<Cipher>
  /** Wraps the data key of a store, or a new one, with the tenant's key in an HSM. */
  wrap(owner: Omit<KeyOwner, 'id'>, address: string, before: WrappedKey | undefined): Promise<WrappedKey>
}

const maxCached = 10_000
/** Refusals are cached as well, to spare the HSM. */
const refusalMs = 1_000

type Lookup = { readonly cipher: Cipher } | { readonly failure: Failure }

export function openDataKeys(platform: Platform, cacheMs: number): DataKeys {
  const { keys } = platform
  const useOf = ({ tenant, name }: Omit<KeyOwner, 'id'>, address: string, dataKey: string): KeyUse => ({
    tenant,
    address,
    caller: `${serviceName}:${name.toLowerCase()}`,
    context: `${serviceName} ${dataKey}`,
  })

  async function unwrap(owner: Omit<KeyOwner, 'id'>, { dataKey, wrappedBy, wrapped }: WrappedKey): Promise<Buffer> {
    try {
      return await keys.unwrap(useOf(owner, wrappedBy, dataKey), wrapped)
    } catch (error) {
      throw inaccessible(error, wrappedBy)
    }
  }

  const lookups = expiringCache<Lookup>({
    name: 'configuration-stores refused keys',
    forMs: refusalMs,
    limit: maxCached,
    keep: (lookup) => 'failure' in lookup,
    find: async (text) => {
      const [tenant, id, name, dataKey, wrappedBy, wrapped] = JSON.parse(text)
      const key = { dataKey, wrappedBy, wrapped: Buffer.from(wrapped, 'base64') }
      return unwrap({ tenant, name }, key).then(
        (bytes) => ({ cipher: cipherOf(id, dataKey, bytes) }),
        (failure: Failure) => ({ failure }),
      )
    },
  })
  const ciphers = expiringCache<Cipher>({
    name: 'configuration-stores data keys',
    forMs: cacheMs,
    limit: maxCached,
    async find(text) {
      const lookup = await lookups.get(text)
      if ('failure' in lookup) throw lookup.failure
      return lookup.cipher
    },
  })
  const texts = new WeakMap<WrappedKey, string>()

  return {
    of({ tenant, id, name }, key) {
      let text = texts.get(key)
      if (text === undefined) {
        text = JSON.stringify([tenant, id, name, key.dataKey, key.wrappedBy, key.wrapped.toString('base64')])
        texts.set(key, text)
      }
      return ciphers.get(text)
    },
    async wrap(owner, address, before) {
      const bytes = before ? await unwrap(owner, before) : randomBytes(32)
      const dataKey = before?.dataKey ?? randomUUID()
      try {
        return { dataKey, wrappedBy: address, wrapped: await keys.wrap(useOf(owner, address, dataKey), bytes) }
      } catch (error) {
        throw refused(error)
      } finally {
        bytes.fill(0)
      }
    },
  }
}

/** Outages of the HSM stay as they are; anything else must be fixed by the owner of the key. */
function inaccessible(error: unknown, address: string): unknown {
  if (!(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'internal') return error
  return new Failure(
    'forbidden',
    `The values of this store are encrypted, and its key cannot be used: ${error.message} The key is ${address}: give the store access to it again.`,
    { code: 'KeyInaccessible', cause: error },
  )
}

function refused(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'internal') return error
  const at = 'body/properties/encryption/keyVaultProperties/keyIdentifier'
  const message = `cannot be used: ${error.message}`
  return new Failure('invalid', `${at} ${message}`, { details: [{ at, message }], cause: error })
}
