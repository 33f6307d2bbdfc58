import type { StorageState } from '../databases/contract.ts'
import type { Session } from './host.ts'
import { endSessionsIn } from './sessions-store.ts'
import * as store from './store.ts'

export interface Storage {
  readonly storage: StorageState
  /** Its size when it became read-only. */
  readonly readOnlyBytes: number
}

/** Share of its maximum size by which a read-only database may still grow before it is closed. */
const maxOverrun = 0.1

/**
 * An oversized database, or one in an oversized pool, becomes read-only. PostgreSQL lets a role lift that for a transaction,
 * which it needs to delete rows; a database that keeps growing is closed until its limit is raised.
 */
export function storageFor(bytes: number, maxSizeBytes: number, before: Storage, isPoolFull: boolean): Storage {
  if (bytes <= maxSizeBytes && !isPoolFull) return { storage: 'ReadWrite', readOnlyBytes: 0 }
  if (before.storage === 'ReadWrite') return { storage: 'ReadOnly', readOnlyBytes: bytes }
  const hasGrown = bytes > before.readOnlyBytes + maxSizeBytes * maxOverrun
  return { ...before, storage: before.storage === 'Closed' || hasGrown ? 'Closed' : 'ReadOnly' }
}

/** Terminates existing sessions: the default only applies to new ones. */
export async function applyStorage(admin: Session, name: string, { storage }: Storage): Promise<void> {
  await store.setReadOnly(admin, name, storage !== 'ReadWrite')
  await store.setSignIn(admin, name, storage !== 'Closed')
  if (storage !== 'ReadWrite') await endSessionsIn(admin, name)
}
