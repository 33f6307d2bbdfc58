import { isDeepStrictEqual } from 'node:util'
import type { Db, JobContext, ReadingDb } from '@icosa/kernel'
import { type NewChange, record } from '../../changes/store.ts'
import { requestVisits, type VisitRequest } from '../../crawl/visits/store.ts'
import type { Podcast, PodcastFigures, PodcastText } from '../../podcasts/podcast.ts'
import type { FeedEpisode, OpenFeed } from '../feed.ts'
import { clearAway } from '../remove.ts'
import * as episodes from './episode-store.ts'
import { type PlannedEpisode, planOf } from './plan.ts'
import * as podcasts from './podcast-store.ts'

const episodesAtOnce = 500
const knownAtOnce = 5_000
/** So many transcripts of a podcast are fetched, the latest ones. */
const maxTranscripts = 100

/** What is done with the last of the episodes, in the same transaction; it gets the podcast as it is now. */
export type AndThen = (db: Db, podcast: Podcast) => Promise<void>

/**
 * Writes a feed into the directory: only what differs from what is there. Many episodes take several transactions; the
 * podcast is listed with the last one. Whoever is stopped half way starts again and finds the first ones written.
 */
export async function saveFeed(before: Podcast, feed: OpenFeed, context: JobContext, andThen: AndThen): Promise<void> {
  const now = context.clock.now()
  const { written, withdrawn } = planOf(await knownEpisodes(context.db, before), feed, now)
  const transcripts: VisitRequest[] = []
  let position = 0
  for (; written.length - position > episodesAtOnce; position += episodesAtOnce) {
    const some = await textsOf(feed, written.slice(position, position + episodesAtOnce))
    transcripts.push(...transcriptsOf(before, some))
    await context.transaction(async (db) => {
      await episodes.put(db, before, some, now)
      await record(db, before.tenant, before.id, some.map(changeOfEpisode))
    })
  }
  const last = await textsOf(feed, written.slice(position))
  transcripts.push(...transcriptsOf(before, last))
  await context.transaction(async (db, jobs) => {
    const podcast = await podcasts.lock(db, before)
    // Somebody deleted it meanwhile, and what was written since must go, too.
    if (!podcast || podcast.status === 'deleted') return jobs.enqueue(clearAway, keyOf(before))
    await episodes.put(db, before, last, now)
    await episodes.remove(db, before.tenant, withdrawn)
    const text = withWhatIsKnown(feed.podcast, podcast)
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

async function textsOf(feed: OpenFeed, planned: readonly PlannedEpisode[]): Promise<episodes.WrittenEpisode[]> {
  if (planned.length === 0) return []
  const texts = await feed.episodes(planned.map(({ position }) => position))
  return planned.map(({ id, pubDateMs }, index) => ({ ...(texts[index] as FeedEpisode), id, pubDateMs }))
}

async function knownEpisodes(db: ReadingDb, podcast: Podcast): Promise<episodes.KnownEpisode[]> {
  const known: episodes.KnownEpisode[] = []
  for (;;) {
    const some = await episodes.knownAfter(db, podcast, known.at(-1)?.pubDateMs ?? -1, knownAtOnce)
    known.push(...some)
    if (some.length < knownAtOnce) return known
  }
}

const keyOf = ({ tenant, id }: Podcast) => ({ tenant, id, thumbnail: null })

const changeOfEpisode = ({ id }: { readonly id: string }): NewChange => ({ kind: 'episode', id })

/** Few feeds say where else their podcast is: what is known from elsewhere stays. */
const withWhatIsKnown = (text: PodcastText, known: Podcast): PodcastText => ({
  ...text,
  email: text.email || known.email,
  storeoneId: text.storeoneId ?? known.storeoneId,
  storetwoId: text.storetwoId ?? known.storetwoId,
})

const transcriptsOf = ({ tenant }: Podcast, written: readonly episodes.WrittenEpisode[]): VisitRequest[] =>
  written.flatMap(({ id, transcriptUrl: url }) => (url === null ? [] : [{ tenant, kind: 'transcript', id, url }]))

const artworkOf = (podcast: Podcast, { image: url }: PodcastText): VisitRequest[] =>
  url !== '' && (url !== podcast.image || podcast.status !== 'listed')
    ? [{ tenant: podcast.tenant, kind: 'artwork', id: podcast.id, url }]
    : []

/** What of a podcast its episodes show, too. */
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

/** Undefined if the podcast is what it was. */
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
