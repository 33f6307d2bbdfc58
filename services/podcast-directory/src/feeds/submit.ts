import { randomUUID } from 'node:crypto'
import { type Db, invalid, type JobsOf } from '@icosa/kernel'
import type { SendTo } from '../crawl/hosts/turns.ts'
import { requestVisits } from '../crawl/visits/store.ts'
import { hostOf } from '../crawl/visits/visit.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import { findByRss } from '../podcasts/store.ts'
import { insert, lock, setStatus } from './save/podcast-store.ts'

export interface Submission {
  readonly rss: string
  readonly email: string
}

/** How long a rejection lasts. */
const rejectionMs = 24 * 3_600_000

/** Normalizes the URL of a feed. Refuses invalid ones. */
export function feedAddress(text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.href.length > 2_000)
    invalid([{ at: 'body/rss', message: 'must be the URL of a feed, such as https://host/feed.xml' }])
  url.hash = ''
  return url.href
}

/** Adds a feed, or reviews it again if its rejection has expired. */
export async function submit(
  db: Db,
  tenant: string,
  { rss, email }: Submission,
  now: Date,
): Promise<{ readonly podcast: Podcast; readonly isNew: boolean }> {
  const id = randomUUID().replaceAll('-', '')
  const added = await insert(db, { tenant, id }, { rss, email }, now)
  if (added) return { podcast: await review(db, added, now), isNew: true }
  const existing = await findByRss(db, tenant, rss)
  const podcast = existing && (await lock(db, existing))
  if (!podcast) return submit(db, tenant, { rss, email }, now) // it was deleted concurrently
  const isExpired = now.getTime() - podcast.updatedAt.getTime() > rejectionMs
  if (podcast.status !== 'rejected' || !isExpired) return { podcast, isNew: false }
  return { podcast: await review(db, podcast, now), isNew: true }
}

/** Schedules a visit of its feed. */
async function review(db: Db, podcast: Podcast, now: Date): Promise<Podcast> {
  const { tenant, id, rss } = podcast
  await setStatus(db, podcast, 'in review', '', now)
  await requestVisits(db, [{ tenant, kind: 'feed', id, url: rss }], now)
  return { ...podcast, status: 'in review', reason: '' }
}

/** The same, and dispatches a worker immediately. */
export async function submitNow(
  db: Db,
  jobs: JobsOf,
  sendTo: SendTo,
  tenant: string,
  submission: Submission,
  now: Date,
): Promise<Podcast> {
  const { podcast, isNew } = await submit(db, tenant, submission, now)
  if (isNew) await sendTo(db, jobs, { host: hostOf(podcast.rss), tenant }, now)
  return podcast
}
