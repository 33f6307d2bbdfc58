import { expect, test } from 'vitest'
import type { FeedEpisode } from '../feed.ts'
import type { StoredEpisode } from './episode-store.ts'
import { planOf } from './plan.ts'

const now = new Date('2026-01-01T00:00:00Z')
const day = (n: number) => Date.UTC(2025, 0, n)

const inFeed = (guid: string, more: Partial<FeedEpisode> = {}): FeedEpisode => ({
  guid,
  title: guid,
  description: '',
  audio: `https://audio.example/${guid}.mp3`,
  audioLengthSec: 0,
  pubDateMs: day(1),
  explicitContent: false,
  link: '',
  image: '',
  transcriptUrl: null,
  maybeAudioInvalid: false,
  digest: `${guid} unchanged`,
  ...more,
})

/** An episode stored from a feed. */
const stored = (id: string, episode: FeedEpisode, pubDateMs = episode.pubDateMs ?? 0): StoredEpisode => ({
  id,
  guid: episode.guid,
  audio: episode.audio,
  digest: episode.digest,
  pubDateMs,
})

/** The plan with the feed's episodes. */
function plan(before: readonly StoredEpisode[], episodes: readonly FeedEpisode[], complete = true) {
  const { upserts, withdrawn } = planOf(before, { outlines: episodes, complete }, now)
  return {
    upserts: upserts.map(({ position, id, pubDateMs }) => ({ ...(episodes[position] as FeedEpisode), id, pubDateMs })),
    withdrawn,
  }
}

test('unchanged episodes are not written', () => {
  const one = inFeed('one')
  expect(plan([stored('1', one)], [one])).toEqual({ upserts: [], withdrawn: [] })
})

test('an episode keeps its id when its title changes', () => {
  const { upserts } = plan([stored('1', inFeed('one'))], [inFeed('one', { title: 'New', digest: 'new' })])
  expect(upserts).toMatchObject([{ id: '1', title: 'New', pubDateMs: day(1) }])
})

test('an episode whose guid changed is identified by its audio', () => {
  const renamed = inFeed('other', { audio: 'https://audio.example/one.mp3' })
  const { upserts, withdrawn } = plan([stored('1', inFeed('one'))], [renamed])
  expect(upserts).toMatchObject([{ id: '1', guid: 'other' }])
  expect(withdrawn).toEqual([])
})

test('of two episodes with the same audio, the one with the stored guid keeps its id', () => {
  const one = inFeed('one')
  const copy = inFeed('copy', { audio: one.audio })
  const { upserts } = plan([stored('1', one)], [copy, one])
  expect(upserts).toHaveLength(1)
  expect(upserts[0]?.guid).toBe('copy')
  expect(upserts[0]?.id).not.toBe('1')
})

test('episodes of the same second get unique times and keep them', () => {
  const first = plan([], [inFeed('a'), inFeed('b'), inFeed('c')]).upserts
  expect(first.map(({ pubDateMs }) => pubDateMs - day(1))).toEqual([0, 1, 2])
  const before = first.map((episode) => stored(episode.id, episode, episode.pubDateMs))
  const second = plan(before, [inFeed('d'), inFeed('b', { digest: 'new' }), inFeed('a'), inFeed('c')]).upserts
  expect(second.map(({ guid, pubDateMs }) => [guid, pubDateMs - day(1)])).toEqual([
    ['d', 3],
    ['b', 1],
  ])
})

test('twenty thousand episodes of one second are planned quickly', () => {
  const startedAt = performance.now()
  const { upserts } = plan(
    [],
    Array.from({ length: 20_000 }, (_, n) => inFeed(`n${n}`)),
  )
  expect(new Set(upserts.map(({ pubDateMs }) => pubDateMs)).size).toBe(20_000)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test('episodes without a time get the time of discovery, and keep it', () => {
  const undated = ['a', 'b'].map((guid) => inFeed(guid, { pubDateMs: undefined }))
  const { upserts } = plan([], undated)
  expect(upserts.map(({ pubDateMs }) => pubDateMs)).toEqual([now.getTime(), now.getTime() - 1000])
  const before = upserts.map((episode) => stored(episode.id, episode, episode.pubDateMs))
  const [changed] = plan(before, [inFeed('b', { pubDateMs: undefined, digest: 'new' })]).upserts
  expect(changed?.pubDateMs).toBe(now.getTime() - 1000)
})

test('episodes missing from the middle of a feed are withdrawn, those older than the feed are kept', () => {
  const [old, middle, late] = [1, 2, 3].map((n) => inFeed(`day ${n}`, { pubDateMs: day(n) })) as [
    FeedEpisode,
    FeedEpisode,
    FeedEpisode,
  ]
  const all = [stored('1', old), stored('2', middle), stored('3', late)]
  expect(plan(all, [late, old]).withdrawn).toEqual(['2'])
  expect(plan(all, [late, middle]).withdrawn).toEqual([])
  expect(plan(all, [old]).withdrawn).toEqual(['2', '3'])
  expect(plan(all, [late, old], false).withdrawn, 'the rest of the feed is unknown').toEqual([])
})
