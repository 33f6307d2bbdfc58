import { isDeepStrictEqual } from 'node:util'
import type { Db, JobContext, ReadingDb } from '@icosa/kernel'
import { type NewChange, record } from '../../changes/store.ts'
import { requestVisits, type VisitRequest } from '../../crawl/visits/store.ts'
import type { Podcast, PodcastFigures, PodcastText } from '../../podcasts/podcast.ts'
import type { FeedEpisode, OpenFeed } from '../feed.ts'
import { cleanUp } from '../remove.ts'
import * as episodes from './episode-store.ts'
import { type PlannedEpisode, planOf } from './plan.ts'
import * as podcasts from './podcast-store.ts'

const episodesPerBatch = 500
const storedPerBatch = 5_000
/** Number of latest transcripts to fetch. */
const maxTranscripts = 100

/** Runs in the last transaction, with the updated podcast. */
export type AndThen = (db: Db, podcast: Podcast) => Promise<void>

/**
 * Stores the differences between a feed and the directory. Many episodes take several transactions; the podcast is listed
 * with the last one. After an interruption, a retry finds the first ones stored.
 */
export async function saveFeed(before: Podcast, feed: OpenFeed, context: JobContext, andThen: AndThen): Promise<void> {
  const now = context.clock.now()
  const { upserts, withdrawn } = planOf(await storedEpisodes(context.db, before), feed, now)
  const transcripts: VisitRequest[] = []
  let position = 0
  for (; upserts.length - position > episodesPerBatch; position += episodesPerBatch) {
    const batch = await textsOf(feed, upserts.slice(position, position + episodesPerBatch))
    transcripts.push(...transcriptsOf(before, batch))
    await context.transaction(async (db) => {
      await episodes.put(db, before, batch, now)
      await record(db, before.tenant, before.id, batch.map(changeOfEpisode))
    })
  }
  const last = await textsOf(feed, upserts.slice(position))
  transcripts.push(...transcriptsOf(before, last))
  await context.transaction(async (db, jobs) => {
    const podcast = await podcasts.lock(db, before)
    // It was deleted concurrently, so the episodes stored since must be deleted, too.
    if (!podcast || podcast.status === 'deleted') return jobs.enqueue(cleanUp, keyOf(before))
    await episodes.put(db, before, last, now)
    await episodes.remove(db, before.tenant, withdrawn)
    const text = withStoredIds(feed.podcast, podcast)
    const sums = await podcasts.figures(db, before)
    const change = changeOf(podcast, text, sums)
    if (change) await podcasts.list(db, before, text, sums, now)
    await requestVisits(db, [...transcripts.slice(0, maxTranscripts), ...artworkOf(podcast, text)], now)
    await andThen(db, { ...podcast, ...text, ...sums, status: 'listed' })
    await record(db, before.tenant, before.id, [
      ...last.map(changeOfEpisode),
      ...withdrawn.map((id): NewChange => ({ kind: 'episode', id, deleted: true })),
      ...(change ? [change] : []),
    ])
  })
}

async function textsOf(feed: OpenFeed, planned: readonly PlannedEpisode[]): Promise<episodes.EpisodeUpsert[]> {
  if (planned.length === 0) return []
  const texts = await feed.episodes(planned.map(({ position }) => position))
  return planned.map(({ id, pubDateMs }, index) => ({ ...(texts[index] as FeedEpisode), id, pubDateMs }))
}

async function storedEpisodes(db: ReadingDb, podcast: Podcast): Promise<episodes.StoredEpisode[]> {
  const stored: episodes.StoredEpisode[] = []
  for (;;) {
    const batch = await episodes.storedAfter(db, podcast, stored.at(-1)?.pubDateMs ?? -1, storedPerBatch)
    stored.push(...batch)
    if (batch.length < storedPerBatch) return stored
  }
}

const keyOf = ({ tenant, id }: Podcast) => ({ tenant, id, thumbnail: null })

const changeOfEpisode = ({ id }: { readonly id: string }): NewChange => ({ kind: 'episode', id })

/** Keeps the email and platform ids from other sources, since few feeds contain them. */
const withStoredIds = (text: PodcastText, stored: Podcast): PodcastText => ({
  ...text,
  email: text.email || stored.email,
  storeoneId: text.storeoneId ?? stored.storeoneId,
  storetwoId: text.storetwoId ?? stored.storetwoId,
})

const transcriptsOf = ({ tenant }: Podcast, upserts: readonly episodes.EpisodeUpsert[]): VisitRequest[] =>
  upserts.flatMap(({ id, transcriptUrl: url }) => (url === null ? [] : [{ tenant, kind: 'transcript', id, url }]))

const artworkOf = (podcast: Podcast, { image: url }: PodcastText): VisitRequest[] =>
  url !== '' && (url !== podcast.image || podcast.status !== 'listed')
    ? [{ tenant: podcast.tenant, kind: 'artwork', id: podcast.id, url }]
    : []

/** Fields that episodes show, too. */
const inherited = [
  'title',
  'publisher',
  'image',
  'language',
  'region',
  'genreIds',
  'explicitContent',
  'hasSponsors',
  'hasGuestInterviews',
] as const

/** Undefined if nothing has changed. */
function changeOf(before: Podcast, text: PodcastText, sums: PodcastFigures): NewChange | undefined {
  const after: Podcast = { ...before, ...text, ...sums, status: 'listed' }
  const differs = (field: keyof Podcast) => !isDeepStrictEqual(before[field], after[field])
  const fields: (keyof Podcast)[] = [
    'status',
    ...(Object.keys(text) as (keyof PodcastText)[]),
    ...(Object.keys(sums) as (keyof PodcastFigures)[]),
  ]
  if (!fields.some(differs)) return undefined
  return { kind: 'podcast', id: before.id, inherited: before.status !== 'listed' || inherited.some(differs) }
}
