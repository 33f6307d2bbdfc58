import { expiringCache, type Platform } from '@icosa/kernel'
import { openSecret } from '../../access-keys/secrets.ts'
import * as accessKeys from '../../access-keys/store.ts'
import type { WrappedKey } from '../../encryption/data-keys.ts'
import type { WritableStore } from '../../key-values/store.ts'
import { type Sku, wrappedKeyOf } from '../../stores/store.ts'
import { hmacSha256, type Sign } from './hmac.ts'

/** A store that answers, with the keys that open it. */
export interface OpenStore extends WritableStore {
  readonly name: string
  readonly sku: Sku
  /** With which its values are opened, if any of them may be encrypted. */
  readonly key: WrappedKey | undefined
  readonly publicNetworkAccess: boolean
  readonly disableLocalAuth: boolean
  /** The private endpoints through which it is open in any case. */
  readonly endpoints: readonly string[]
  readonly keys: ReadonlyMap<string, { readonly sign: Sign; readonly readOnly: boolean }>
}

/** Stores by their names, as they were last seen. */
export interface Directory {
  find(name: string): OpenStore | undefined | Promise<OpenStore | undefined>
  /** To be called before a change of who gets in to a store commits. */
  forget(name: string): void
}

/** So long a node may take to notice what another one has changed. */
export const rememberedMs = 1_000
const rememberedLimit = 10_000

/**
 * What was found is remembered for a second, so that a request that reads a key-value asks the database for nothing else;
 * so long does a regenerated key still work on other nodes. That there is none is not remembered: one may be made.
 */
export function openDirectory({ database, vault }: Platform): Directory {
  const stores = expiringCache<OpenStore | undefined>({
    name: 'configuration-stores stores',
    forMs: rememberedMs,
    limit: rememberedLimit,
    keep: (store) => store !== undefined,
    async find(name) {
      const openings = await accessKeys.openings(database, name)
      const [first] = openings
      if (!first) return undefined
      const keys = openings.map((key) => {
        const sign = hmacSha256(Buffer.from(openSecret(vault, key.store, key), 'base64'))
        return [key.id, { sign, readOnly: key.readOnly }] as const
      })
      const { tenant, store: id, sku, publicNetworkAccess, disableLocalAuth, endpoints, encrypts } = first
      const doors = { publicNetworkAccess, disableLocalAuth, endpoints }
      return { tenant, id, name, sku, ...doors, encrypts, key: wrappedKeyOf(first), keys: new Map(keys) }
    },
  })
  return {
    find: (name) => stores.get(name.toLowerCase()),
    forget: (name) => stores.forget(name.toLowerCase()),
  }
}
