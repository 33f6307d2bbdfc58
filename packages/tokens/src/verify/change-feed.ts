import type { Clock, ReadingDb } from '@icosa/kernel'
import type { RevocationList } from '../revocations/list.ts'
import { atMostEvery } from './at-most-every.ts'
import type { OwnKeys } from './own-keys.ts'
import { readChanges } from './store.ts'

/** What other nodes revoked or rotated. It is asked for when it is needed: a node without requests asks nothing. */
export interface ChangeFeed {
  /** Whether no token has to wait. */
  isFresh(): boolean
  /** Reads what is new, once for all who wait. No token may be accepted if this fails. */
  refresh(): Promise<void>
}

const freshMs = 500

export function changeFeed(db: ReadingDb, clock: Clock, keys: OwnKeys, revoked: RevocationList): ChangeFeed {
  let since = '0'
  let freshUntil = Number.NEGATIVE_INFINITY

  return {
    isFresh: () => performance.now() < freshUntil,
    refresh: atMostEvery(freshMs, async () => {
      const askedAt = performance.now() // what is committed from here on may be missing in the answer
      const changes = await readChanges(db, since, clock.now())
      revoked.add(changes.revocations)
      since = changes.seen
      await keys.follow(changes.keyVersion)
      freshUntil = askedAt + freshMs
    }),
  }
}
