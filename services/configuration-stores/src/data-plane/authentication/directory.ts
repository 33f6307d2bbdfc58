import { expiringCache, type Platform } from '@icosa/kernel'
import { openSecret } from '../../access-keys/secrets.ts'
import * as accessKeys from '../../access-keys/store.ts'
import type { WrappedKey } from '../../encryption/data-keys.ts'
import type { WritableStore } from '../../key-values/store.ts'
import { type Sku, wrappedKeyOf } from '../../stores/store.ts'
import { hmacSha256, type Sign } from './hmac.ts'

/** An available store, with its access keys. */
export interface OpenStore extends WritableStore {
  readonly name: string
  readonly sku: Sku
  /** The wrapped data key, if any value may be encrypted. */
  readonly key: WrappedKey | undefined
  readonly publicNetworkAccess: boolean
  readonly disableLocalAuth: boolean
  /** Approved private endpoints, which have access in any case. */
  readonly endpoints: readonly string[]
  readonly keys: ReadonlyMap<string, { readonly sign: Sign; readonly readOnly: boolean }>
}

/** Cache of stores by name. */
export interface Directory {
  find(name: string): OpenStore | undefined | Promise<OpenStore | undefined>
  /** Call before a change of access to a store commits. */
  forget(name: string): void
}

/** How long a node may take to notice changes by other nodes. */
export const cacheMs = 1_000
const maxCached = 10_000

/**
 * Caches stores for a second, so that reading a key-value needs no further query; for that long, a replaced secret
 * still works on other nodes. Missing stores are not cached: one may be created.
 */
export function openDirectory({ database, cellVault }: Platform): Directory {
  const stores = expiringCache<OpenStore | undefined>({
    name: 'configuration-stores stores',
    forMs: cacheMs,
    limit: maxCached,
    keep: (store) => store !== undefined,
    async find(name) {
      const rows = await accessKeys.keysOf(database, name)
      const [first] = rows
      if (!first) return undefined
      const vault = await cellVault.of(first.tenant)
      const keys = rows.map((key) => {
        const sign = hmacSha256(Buffer.from(openSecret(vault, key.store, key), 'base64'))
        return [key.id, { sign, readOnly: key.readOnly }] as const
      })
      const { tenant, store: id, sku, publicNetworkAccess, disableLocalAuth, endpoints, encrypts } = first
      const access = { publicNetworkAccess, disableLocalAuth, endpoints }
      return { tenant, id, name, sku, ...access, encrypts, key: wrappedKeyOf(first), keys: new Map(keys) }
    },
  })
  return {
    find: (name) => stores.get(name.toLowerCase()),
    forget: (name) => stores.forget(name.toLowerCase()),
  }
}
