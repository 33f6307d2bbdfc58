import type { Platform } from '@icosa/kernel'
import { openSecret } from '../access-keys/secrets.ts'
import * as accessKeys from '../access-keys/store.ts'
import type { Sku } from '../stores/store.ts'
import { hmacSha256, type Sign } from './hmac.ts'
import type { RecentChanges } from './recent-changes.ts'

/** A store that answers, with the keys that open it. */
export interface OpenStore {
  readonly tenant: string
  readonly id: string
  readonly sku: Sku
  readonly keys: ReadonlyMap<string, { readonly sign: Sign; readonly readOnly: boolean }>
}

const believedMs = 1_000
const cachedLimit = 10_000

export type Directory = (name: string) => OpenStore | undefined | Promise<OpenStore | undefined>

/**
 * Finds stores by their names. What was found is believed for a second, so that a request that reads a key-value asks
 * the database for nothing else; so long does a regenerated key still work on other nodes.
 */
export function storeDirectory({ database, vault }: Platform, recent: RecentChanges): Directory {
  const cache = new Map<string, { readonly found: OpenStore; readonly until: number }>()
  const asking = new Map<string, Promise<OpenStore | undefined>>()

  async function find(name: string): Promise<OpenStore | undefined> {
    const openings = await accessKeys.openings(database, name)
    const [first] = openings
    if (!first) return undefined
    const keys = openings.map((key) => {
      const sign = hmacSha256(Buffer.from(openSecret(vault, key.store, key), 'base64'))
      return [key.id, { sign, readOnly: key.readOnly }] as const
    })
    return { tenant: first.tenant, id: first.store, sku: first.sku, keys: new Map(keys) }
  }

  /** Many requests may want to know at once; one of them asks. */
  function ask(key: string): Promise<OpenStore | undefined> {
    let answer = asking.get(key)
    if (!answer) {
      answer = find(key).finally(() => asking.delete(key))
      asking.set(key, answer)
    }
    return answer
  }

  return (name) => {
    const key = name.toLowerCase()
    if (recent.has(key)) return find(key)
    const entry = cache.get(key)
    if (entry && entry.until > performance.now()) return entry.found
    return ask(key).then((found) => {
      if (cache.size >= cachedLimit) cache.clear()
      if (found && !recent.has(key)) cache.set(key, { found, until: performance.now() + believedMs })
      else cache.delete(key)
      return found
    })
  }
}
