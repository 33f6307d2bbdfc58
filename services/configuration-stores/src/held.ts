import type { Platform } from '@icosa/kernel'
import { type Directory, type OpenStore, storeDirectory } from './data-plane/directory.ts'
import { type RecentChanges, recentChanges } from './data-plane/recent-changes.ts'
import { findMany, type Identity, type Revision } from './key-values/store.ts'
import { type Read, together } from './key-values/together.ts'

/** What a node holds for configuration stores. */
export interface Held {
  /** Stores whose keys may just have changed here. */
  readonly recent: RecentChanges
  /** Stores as they were last seen. */
  readonly directory: Directory
  /** Reads key-values of many requests together. */
  readonly findKeyValue: Read<OpenStore, Identity, Revision>
}

export function start(platform: Platform): Held {
  const recent = recentChanges()
  return {
    recent,
    directory: storeDirectory(platform, recent),
    findKeyValue: together((store, identities) => findMany(platform.database, store, identities)),
  }
}
