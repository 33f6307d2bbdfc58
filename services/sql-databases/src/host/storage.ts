import type { StorageState } from '../databases/contract.ts'
import type { Session } from './host.ts'
import { endSessionsIn } from './sessions-store.ts'
import * as store from './store.ts'

export interface Storage {
  readonly storage: StorageState
  /** How large the database was when it became read-only. */
  readonly readOnlyBytes: number
}

/** Whoever writes on in a read-only database gets as much as this share of its size, then no more connections. */
const overrun = 0.1

/**
 * A database that is too large, or in a pool that has become too large, becomes read-only. PostgreSQL lets a role lift that for a transaction, which it needs
 * to delete rows; one that grows on all the same is closed until it may be larger.
 */
export function storageFor(bytes: number, maxSizeBytes: number, before: Storage, isPoolFull: boolean): Storage {
  if (bytes <= maxSizeBytes && !isPoolFull) return { storage: 'ReadWrite', readOnlyBytes: 0 }
  if (before.storage === 'ReadWrite') return { storage: 'ReadOnly', readOnlyBytes: bytes }
  const hasGrown = bytes > before.readOnlyBytes + maxSizeBytes * overrun
  return { ...before, storage: before.storage === 'Closed' || hasGrown ? 'Closed' : 'ReadOnly' }
}

/** A default reaches only new sessions, so those of before end. */
export async function applyStorage(admin: Session, name: string, { storage }: Storage): Promise<void> {
  await store.setReadOnly(admin, name, storage !== 'ReadWrite')
  await store.setSignIn(admin, name, storage !== 'Closed')
  if (storage !== 'ReadWrite') await endSessionsIn(admin, name)
}
