import { expect, test } from 'vitest'
import type { FeedEpisode } from '../feed.ts'
import type { KnownEpisode } from './episode-store.ts'
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
  digest: `${guid} as it was`,
  ...more,
})

/** As the directory knows an episode after it was in a feed. */
const known = (id: string, episode: FeedEpisode, pubDateMs = episode.pubDateMs ?? 0): KnownEpisode => ({
  id,
  guid: episode.guid,
  audio: episode.audio,
  digest: episode.digest,
  pubDateMs,
})

/** The plan, with the feed's episodes in it. */
function plan(before: readonly KnownEpisode[], episodes: readonly FeedEpisode[], complete = true) {
  const { written, withdrawn } = planOf(before, { outlines: episodes, complete }, now)
  return {
    written: written.map(({ position, id, pubDateMs }) => ({ ...(episodes[position] as FeedEpisode), id, pubDateMs })),
    withdrawn,
  }
}

test('what is the same is not written', () => {
  const one = inFeed('one')
  expect(plan([known('1', one)], [one])).toEqual({ written: [], withdrawn: [] })
})

test('an episode keeps its id when its title changes', () => {
  const { written } = plan([known('1', inFeed('one'))], [inFeed('one', { title: 'New', digest: 'new' })])
  expect(written).toMatchObject([{ id: '1', title: 'New', pubDateMs: day(1) }])
})

test('an episode whose name changed is known by its audio', () => {
  const renamed = inFeed('other', { audio: 'https://audio.example/one.mp3' })
  const { written, withdrawn } = plan([known('1', inFeed('one'))], [renamed])
  expect(written).toMatchObject([{ id: '1', guid: 'other' }])
  expect(withdrawn).toEqual([])
})

test('two episodes may have the same audio: the one that has its name keeps its id', () => {
  const one = inFeed('one')
  const again = inFeed('again', { audio: one.audio })
  const { written } = plan([known('1', one)], [again, one])
  expect(written).toHaveLength(1)
  expect(written[0]?.guid).toBe('again')
  expect(written[0]?.id).not.toBe('1')
})

test('episodes of the same second get times of their own and keep them', () => {
  const first = plan([], [inFeed('a'), inFeed('b'), inFeed('c')]).written
  expect(first.map(({ pubDateMs }) => pubDateMs - day(1))).toEqual([0, 1, 2])
  const before = first.map((one) => known(one.id, one, one.pubDateMs))
  const second = plan(before, [inFeed('d'), inFeed('b', { digest: 'new' }), inFeed('a'), inFeed('c')]).written
  expect(second.map(({ guid, pubDateMs }) => [guid, pubDateMs - day(1)])).toEqual([
    ['d', 3],
    ['b', 1],
  ])
})

test('twenty thousand episodes of one second take no time', () => {
  const began = performance.now()
  const { written } = plan(
    [],
    Array.from({ length: 20_000 }, (_, n) => inFeed(`n${n}`)),
  )
  expect(new Set(written.map(({ pubDateMs }) => pubDateMs)).size).toBe(20_000)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('episodes without a time count from when they were found, and keep it', () => {
  const undated = ['a', 'b'].map((guid) => inFeed(guid, { pubDateMs: undefined }))
  const { written } = plan([], undated)
  expect(written.map(({ pubDateMs }) => pubDateMs)).toEqual([now.getTime(), now.getTime() - 1000])
  const before = written.map((one) => known(one.id, one, one.pubDateMs))
  const [changed] = plan(before, [inFeed('b', { pubDateMs: undefined, digest: 'new' })]).written
  expect(changed?.pubDateMs).toBe(now.getTime() - 1000)
})

test('what is missing from the middle of a feed was withdrawn, what is older than the feed stays', () => {
  const [old, middle, late] = [1, 2, 3].map((n) => inFeed(`day ${n}`, { pubDateMs: day(n) })) as [
    FeedEpisode,
    FeedEpisode,
    FeedEpisode,
  ]
  const all = [known('1', old), known('2', middle), known('3', late)]
  expect(plan(all, [late, old]).withdrawn).toEqual(['2'])
  expect(plan(all, [late, middle]).withdrawn).toEqual([])
  expect(plan(all, [old]).withdrawn).toEqual(['2', '3'])
  expect(plan(all, [late, old], false).withdrawn, 'nobody knows what the rest of the feed says').toEqual([])
})
