import { createHash } from 'node:crypto'
import { setImmediate as immediate } from 'node:timers/promises'
import type { Db, JobContext, OutboundResponse } from '@icosa/kernel'
import { limits, NotAPodcast, type OpenFeed } from '../../feeds/feed.ts'
import { remove } from '../../feeds/remove.ts'
import * as podcasts from '../../feeds/save/podcast-store.ts'
import { saveFeed } from '../../feeds/save/save.ts'
import type { Podcast } from '../../podcasts/podcast.ts'
import { find } from '../../podcasts/store.ts'
import type { ServiceRuntime } from '../../runtime.ts'
import { nextFeedVisitMs, retryAfterMs } from '../pace.ts'
import type { Purpose } from './purpose.ts'
import * as visits from './store.ts'
import type { Visit } from './visit.ts'

/** Attempts for a feed that was never listed. */
const maxAttempts = 3

export const feedVisit: Purpose = {
  accept: 'application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1',
  maxBytes: limits.bytes,

  async unchanged(visit, context) {
    const podcast = await find(context.db, visit.tenant, visit.id)
    if (podcast) await context.transaction((db) => markUnchanged(db, visit, podcast, visit, context))
  },

  async read(visit, response, context) {
    const podcast = await find(context.db, visit.tenant, visit.id)
    if (!podcast) return context.transaction((db) => visits.remove(db, visit))
    const validators = await validatorsOf(response)
    if (validators.digest === visit.digest)
      return context.transaction((db) => markUnchanged(db, visit, podcast, validators, context))
    try {
      await saveResponse(visit, podcast, response, validators, context)
    } catch (error) {
      if (!(error instanceof NotAPodcast)) throw error
      await feedVisit.fail(visit, { reason: error.message, lasting: true }, context)
    }
  },

  async fail(visit, { reason, lasting, backoffMs = 0 }, { transaction, clock }) {
    const failures = visit.failures + 1
    const now = clock.now()
    await transaction(async (db) => {
      const podcast = await podcasts.lock(db, visit)
      if (!podcast) return visits.remove(db, visit)
      const isGivenUp = podcast.status !== 'listed' && (lasting || failures >= maxAttempts)
      if (isGivenUp && podcast.status === 'in review') await podcasts.setStatus(db, podcast, 'rejected', reason, now)
      const pauseMs = isGivenUp ? undefined : retryAfterMs(failures)
      const dueAt = pauseMs === undefined ? null : new Date(now.getTime() + Math.max(pauseMs, backoffMs))
      await visits.fail(db, visit, { url: podcast.rss, error: reason, dueAt }, now)
    })
  },
}

type Validators = Pick<Visit, 'etag' | 'lastModified' | 'digest'>

/** Parses and stores a changed feed. */
async function saveResponse(
  visit: Visit,
  podcast: Podcast,
  { body, headers }: OutboundResponse,
  validators: Validators,
  context: JobContext<ServiceRuntime>,
): Promise<void> {
  const nowMs = context.clock.now().getTime()
  const source = { bytes: body, contentType: headers.get('content-type') ?? '', url: visit.url, nowMs }
  const save = async (feed: OpenFeed) => {
    if (feed.blocked) return unlist(podcast, context)
    await saveFeed(podcast, feed, context, async (db, listed) => {
      const rss = await movedTo(db, visit, listed)
      const movedOn = feed.movedTo !== '' && feed.movedTo !== rss && visit.hops === 0
      await scheduleNextVisit(db, visit, { ...listed, rss }, validators, feed.ttlMs, context)
      if (movedOn) await visits.redirect(db, visit, feed.movedTo, feed.movedTo, context.clock.now())
    })
  }
  await context.runtime.parser.withFeed(visit.tenant, source, save, context.signal)
}

/** Removes a podcast whose owner asks not to be listed. */
async function unlist(podcast: Podcast, { transaction, clock }: JobContext): Promise<void> {
  const reason = 'The owner asks not to be listed.'
  if (podcast.status !== 'listed') throw new NotAPodcast(reason)
  await transaction((db, jobs) => remove(db, jobs, podcast, reason, clock.now()))
}

/** The feed's new URL after permanent redirects, unless another podcast has it. */
async function movedTo(db: Db, { movingTo }: Visit, podcast: Podcast): Promise<string> {
  if (movingTo === null || movingTo === podcast.rss) return podcast.rss
  return (await podcasts.move(db, podcast, movingTo)) ? movingTo : podcast.rss
}

/** Only reschedules the visit. */
async function markUnchanged(
  db: Db,
  visit: Visit,
  podcast: Podcast,
  validators: Validators,
  context: JobContext,
): Promise<void> {
  const rss = await movedTo(db, visit, podcast)
  await scheduleNextVisit(db, visit, { ...podcast, rss }, validators, 0, context)
}

/** Schedules the next visit, with validators. */
async function scheduleNextVisit(
  db: Db,
  visit: Visit,
  podcast: Podcast,
  validators: Validators,
  ttlMs: number,
  { clock }: JobContext,
): Promise<void> {
  const now = clock.now()
  const { etag, lastModified, digest } = validators
  const silentMs = Math.max(0, now.getTime() - podcast.latestPubDateMs)
  const dueAt = new Date(now.getTime() + nextFeedVisitMs(podcast.updateFrequencyHours, silentMs, ttlMs))
  await visits.succeed(db, visit, { url: podcast.rss, etag, lastModified, digest }, now, dueAt)
}

async function validatorsOf({ headers, body }: OutboundResponse): Promise<Validators> {
  return {
    etag: plainValidator(headers.get('etag')),
    lastModified: plainValidator(headers.get('last-modified')),
    digest: await digestOf(body),
  }
}

const mebibyte = 1024 * 1024

/** Hashes in pieces, to yield to other work. */
async function digestOf(body: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < body.length; start += mebibyte) {
    hash.update(body.subarray(start, start + mebibyte))
    await immediate()
  }
  return hash.digest('base64url')
}

/** Drops validators that are not plain text. */
const plainValidator = (value: string | null) => (value !== null && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null)
