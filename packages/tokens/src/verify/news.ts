import type { Clock, Db } from '@icosa/kernel'
import type { RevocationList } from '../revocations/list.ts'
import type { OwnKeys } from './own-keys.ts'
import { atMostEvery } from './pace.ts'
import { readNews } from './store.ts'

/** What other nodes revoked or rotated. It is asked for when it is needed: a node without requests asks nothing. */
export interface NewsFeed {
  /** Whether no token has to wait. */
  isFresh(): boolean
  /** Reads what is new, once for all who wait. Nothing may be believed if this fails. */
  refresh(): Promise<void>
}

const freshMs = 500

export function newsFeed(db: Db, clock: Clock, keys: OwnKeys, revoked: RevocationList): NewsFeed {
  let since = '0'
  let freshUntil = Number.NEGATIVE_INFINITY

  return {
    isFresh: () => performance.now() < freshUntil,
    refresh: atMostEvery(freshMs, async () => {
      const askedAt = performance.now() // what is committed from here on may be missing in the answer
      const news = await readNews(db, since, clock.now())
      revoked.add(news.revocations)
      since = news.seen
      await keys.follow(news.keyVersion)
      freshUntil = askedAt + freshMs
    }),
  }
}
