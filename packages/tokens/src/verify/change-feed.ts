import type { Clock, ReadingDb } from '@icosa/kernel'
import type { RevocationList } from '../revocations/list.ts'
import { atMostEvery } from './at-most-every.ts'
import type { OwnKeys } from './own-keys.ts'
import { readChanges } from './store.ts'

/** Revocations and key rotations of other nodes. Read on demand: an idle node reads nothing. */
export interface ChangeFeed {
  /** Whether tokens can be accepted without waiting. */
  isFresh(): boolean
  /** Reads changes, once for all callers. No token may be accepted if this fails. */
  refresh(): Promise<void>
}

const freshMs = 500

export function changeFeed(db: ReadingDb, clock: Clock, keys: OwnKeys, revoked: RevocationList): ChangeFeed {
  let since = '0'
  let freshUntil = Number.NEGATIVE_INFINITY

  return {
    isFresh: () => performance.now() < freshUntil,
    refresh: atMostEvery(freshMs, async () => {
      const startedAt = performance.now() // later commits may be missing in the result
      const changes = await readChanges(db, since, clock.now())
      revoked.add(changes.revocations)
      since = changes.seen
      await keys.follow(changes.keyVersion)
      freshUntil = startedAt + freshMs
    }),
  }
}
