import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, halfADay, seekerOf, startDiscovery } from '../testing/discovery.ts'
import { popularity, scoresOf } from './score.ts'

const now = new Date('2026-01-01T00:00:00Z')
const figures = (id: number, visits: number, episodes: number, daysAgo: number) => ({
  id: String(id),
  visits,
  episodes,
  latestPubDateMs: now.getTime() - daysAgo * 86_400_000,
})

test('visits, recent episodes and many episodes increase popularity', () => {
  const base = popularity(figures(1, 10, 50, 7), now)
  expect(popularity(figures(1, 20, 50, 7), now)).toBeGreaterThan(base)
  expect(popularity(figures(1, 10, 100, 7), now)).toBeGreaterThan(base)
  expect(popularity(figures(1, 10, 50, 1), now)).toBeGreaterThan(base)
  expect(popularity(figures(1, 0, 0, 10_000), now)).toBeCloseTo(0)
})

test('the score decreases with the logarithm of the rank', () => {
  const all = Array.from({ length: 10_000 }, (_, nth) => figures(nth, 10_000 - nth, 1, 1))
  const scores = scoresOf(all, now)
  const at = (rank: number) => scores[rank - 1]
  expect(at(1)).toEqual({ id: '0', score: 100, globalRank: '0.01%' })
  expect(at(10)).toEqual({ id: '9', score: 75, globalRank: '0.1%' })
  expect(at(100)).toEqual({ id: '99', score: 50, globalRank: '1%' })
  expect(at(1_000)).toEqual({ id: '999', score: 25, globalRank: '10%' })
  expect(at(10_000)).toEqual({ id: '9999', score: 0, globalRank: '100%' })
  expect(scoresOf([figures(1, 0, 0, 0)], now)).toEqual([{ id: '1', score: 100, globalRank: '100%' }])
})

let app: Awaited<ReturnType<typeof startDiscovery>>
let me: Awaited<ReturnType<typeof seekerOf>>

beforeAll(async () => {
  app = await startDiscovery()
  me = await seekerOf(app)
  await fill(app, { seed: 9, podcasts: 30, episodes: 300 })
  await halfADay(app)
})
afterAll(() => app[Symbol.asyncDispose]())

test('visits determine the audience and increase the score of a podcast', async () => {
  const { body: last } = await me.search({ query: { q: 'synthetic', type: 'podcast', offset: 20 } })
  const { id, listen_score: before } = last.results.at(-1) as { id: string; listen_score: number }
  const { latest_episode_id: episode } = (await me.podcasts.getPodcastById({ params: { id } })).body
  const audience = async () => (await me.getPodcastAudience({ params: { id } })).body.by_regions
  expect(await audience()).toEqual([])
  for (const region of ['us', 'US', 'de', 'zz', ''])
    expect((await me.get(`/podcasts/${id}`, { 'x-listener-region': region })).status).toBe(200)
  await me.get(`/episodes/${episode}`, { 'x-listener-region': 'de' })
  await me.get('/podcasts/none', { 'x-listener-region': 'fr' })
  await expect.poll(audience, { timeout: 10_000, interval: 200 }).toEqual([
    { region: 'de', ratio: '50.00%' },
    { region: 'us', ratio: '50.00%' },
  ])

  for (let nth = 0; nth < 40; nth++) await me.get(`/podcasts/${id}`, { 'x-listener-region': 'jp' })
  await expect.poll(async () => (await audience())[0]?.region, { timeout: 10_000, interval: 200 }).toBe('jp')
  await halfADay(app)
  const { listen_score: after } = (await me.podcasts.getPodcastById({ params: { id } })).body
  expect(after).toBe(100)
  expect(after).toBeGreaterThan(before)
  const { body: inJapan } = await me.getBestPodcasts({ query: { region: 'jp', sort: 'listen_score' } })
  expect(inJapan.podcasts[0]?.id).toBe(id)

  const other = await seekerOf(app, 'globex')
  await expect(other.getPodcastAudience({ params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('hourly searches are merged into days, and deleted after two months', async () => {
  const { database, clock } = app.platform
  const since = new Date(Math.floor(clock.now().getTime() / 3_600_000) * 3_600_000)
  await database.run(sql`
    insert into podcast_directory.searches (tenant, since, term, searches)
    select 'acme', ${since}::timestamptz + make_interval(hours => hour), 'term ' || nth, 1
    from generate_series(0, 5) hour, generate_series(1, 300) nth`)
  const rows = async () =>
    database.one<{ rows: number; searches: number }>(sql`
      select count(*)::integer as rows, coalesce(sum(searches), 0)::integer as searches
      from podcast_directory.searches where tenant = 'acme' and term like 'term %'`)
  expect(await rows()).toEqual({ rows: 1_800, searches: 1_800 })
  await app.clock.advance(4 * 86_400_000)
  await app.jobs.drain()
  const compacted = await rows()
  expect(compacted.searches).toBe(1_800)
  expect(compacted.rows).toBeLessThanOrEqual(600) // the hours may span two days
  await app.clock.advance(60 * 86_400_000)
  await app.jobs.drain()
  expect(await rows()).toEqual({ rows: 0, searches: 0 })
})
