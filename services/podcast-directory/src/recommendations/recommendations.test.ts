import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomOf } from '../catalog/random.ts'
import { syntheticEpisodes, syntheticPodcasts } from '../catalog/synthetic.ts'
import { everything } from '../podcasts/genres.ts'
import { fillInBulk } from '../testing/bulk-store.ts'
import { seekerOf, startDiscovery } from '../testing/discovery.ts'
import { maxRecommended } from './recommend.ts'

const catalog = { seed: 21, podcasts: 400, episodes: 4_000 }
const podcasts = [...syntheticPodcasts(catalog)]
const episodes = [...syntheticEpisodes(catalog)]
const podcastOf = new Map(podcasts.map((podcast) => [podcast.id, podcast]))

let app: Awaited<ReturnType<typeof startDiscovery>>
let me: Awaited<ReturnType<typeof seekerOf>>

beforeAll(async () => {
  app = await startDiscovery()
  me = await seekerOf(app)
  await fillInBulk(app.platform.database, 'acme', catalog, app.platform.clock.now())
})
afterAll(() => app[Symbol.asyncDispose]())

const genresOf = (podcastId: string) => podcastOf.get(podcastId)?.genreIds.filter((id) => id !== everything.id) ?? []
const sharesGenre = (a: string, b: string) => genresOf(a).some((id) => genresOf(b).includes(id))
const share = (of: readonly boolean[]) => of.filter(Boolean).length / of.length

/** Fraction of random picks that have a genre in common. */
function baseline(seeds: readonly string[]): number {
  const random = randomOf(31)
  return share(seeds.flatMap((seed) => Array.from({ length: 20 }, () => sharesGenre(seed, random.pick(podcasts).id))))
}

test('similar podcasts are recommended', async () => {
  const seeds = podcasts.slice(0, 60).map(({ id }) => id)
  const hits: boolean[] = []
  for (const id of seeds) {
    const { recommendations } = (await me.getPodcastRecommendations({ params: { id } })).body
    expect(recommendations.length).toBeGreaterThan(3)
    expect(recommendations.length).toBeLessThanOrEqual(maxRecommended)
    expect(recommendations.every((other) => other.id !== id)).toBe(true)
    hits.push(...recommendations.map((other) => sharesGenre(id, other.id)))
  }
  const [actual, random] = [share(hits), baseline(seeds)]
  console.log(
    `podcasts with a genre in common: ${(100 * actual).toFixed(0)} % of 8, at random ${(100 * random).toFixed(0)} %`,
  )
  expect(actual).toBeGreaterThan(2 * random)
})

test('similar episodes are recommended, few of one podcast and none of the same podcast', {
  timeout: 60_000,
}, async () => {
  const random = randomOf(7)
  const seeds = Array.from({ length: 60 }, () => random.pick(episodes))
  const hits: boolean[] = []
  for (const { id, podcastId } of seeds) {
    const { recommendations } = (await me.getEpisodeRecommendations({ params: { id } })).body
    expect(recommendations.length).toBeGreaterThan(4)
    const owners = recommendations.map(({ podcast }) => podcast.id)
    expect(owners).not.toContain(podcastId)
    for (const owner of owners) expect(owners.filter((other) => other === owner).length).toBeLessThanOrEqual(2)
    hits.push(...owners.map((owner) => sharesGenre(podcastId, owner)))
  }
  const [actual, chance] = [share(hits), baseline(seeds.map(({ podcastId }) => podcastId))]
  console.log(
    `episodes with a genre in common: ${(100 * actual).toFixed(0)} % of 8, at random ${(100 * chance).toFixed(0)} %`,
  )
  expect(actual).toBeGreaterThan(2 * chance)
})

test('safe mode excludes explicit content', async () => {
  for (const { id } of podcasts.slice(0, 20)) {
    const { recommendations } = (await me.getPodcastRecommendations({ params: { id }, query: { safe_mode: 1 } })).body
    expect(recommendations.some(({ explicit_content }) => explicit_content)).toBe(false)
  }
  for (const { id } of episodes.slice(0, 20)) {
    const { recommendations } = (await me.getEpisodeRecommendations({ params: { id }, query: { safe_mode: 1 } })).body
    expect(recommendations.some(({ explicit_content }) => explicit_content)).toBe(false)
  }
})

test('podcasts with the same listeners are recommended', async () => {
  const [seed, other] = podcasts.filter((podcast) => genresOf(podcast.id).length === 1)
  const far = podcasts.find(({ id, language }) => language !== seed?.language && !sharesGenre(seed?.id ?? '', id))
  if (!seed || !other || !far) throw new Error('the catalog is too small')
  const recommended = async () =>
    (await me.getPodcastRecommendations({ params: { id: seed.id } })).body.recommendations.map(({ id }) => id)
  expect(await recommended()).not.toContain(far.id)
  for (let nth = 0; nth < 10; nth++) {
    const headers = { 'x-listener-id': `listener ${nth}` }
    await me.get(`/podcasts/${seed.id}`, headers)
    await me.get(`/podcasts/${far.id}`, headers)
  }
  await expect.poll(recommended, { timeout: 10_000, interval: 250 }).toContain(far.id)
})

test.each(['none', '0'.repeat(32)])('an unknown id (%s) returns 404', async (id) => {
  await expect(me.getPodcastRecommendations({ params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(me.getEpisodeRecommendations({ params: { id } })).rejects.toMatchObject({ status: 404 })
})
