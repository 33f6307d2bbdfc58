import { randomBytes, randomUUID } from 'node:crypto'
import { expiringCache, Failure, type KeyUse, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { type Cipher, cipherOf } from './cipher.ts'

/** A data key as its store has it: wrapped by a key of a module. */
export interface WrappedKey {
  readonly dataKey: string
  readonly wrappedBy: string
  readonly wrapped: Buffer
}

/** Whose data key it is. The name is how the access of a module's key, and its record, know the store. */
export interface KeyOwner {
  readonly tenant: string
  readonly id: string
  readonly name: string
}

/** The data keys of stores on a node. */
export interface DataKeys {
  /** What a store's values are opened with; comes without a promise if it is remembered. */
  of(owner: KeyOwner, key: WrappedKey): Cipher | Promise<Cipher>
  /** Wraps the data key of a store, or a new one, with a key of a module that the tenant names. */
  wrap(owner: Omit<KeyOwner, 'id'>, address: string, before: WrappedKey | undefined): Promise<WrappedKey>
}

const rememberedLimit = 10_000
/** That a key is not to be had is not asked again for each of many requests. */
const refusedMs = 1_000

type Found = { readonly cipher: Cipher } | { readonly failure: Failure }

export function openDataKeys(platform: Platform, rememberedMs: number): DataKeys {
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

  const tried = expiringCache<Found>({
    name: 'configuration-stores refused keys',
    forMs: refusedMs,
    limit: rememberedLimit,
    keep: (found) => 'failure' in found,
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
    forMs: rememberedMs,
    limit: rememberedLimit,
    async find(text) {
      const found = await tried.get(text)
      if ('failure' in found) throw found.failure
      return found.cipher
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

/** What is wrong with the module for a moment stays what it is; anything else is for the owner of the key to mend. */
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
