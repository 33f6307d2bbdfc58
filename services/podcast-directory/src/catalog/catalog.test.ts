import { expect, test } from 'vitest'
import { start } from '../testing/app.ts'
import { insertSynthetic } from '../testing/synthetic-store.ts'
import { startCatalog } from './server.ts'
import { disclaimer, syntheticEpisodes, syntheticPodcasts } from './synthetic.ts'

const options = { seed: 7, podcasts: 50, episodes: 5_000 }

test('a catalog is determined by its seed', () => {
  const sample = (seed: number) => JSON.stringify([...syntheticEpisodes({ ...options, seed })].slice(0, 200))
  expect(sample(7)).toBe(sample(7))
  expect(sample(7)).not.toBe(sample(8))
})

test('every text states that it is synthetic', () => {
  for (const { description } of syntheticPodcasts(options)) expect(description).toContain(disclaimer)
  for (const { description } of syntheticEpisodes(options)) expect(description).toContain(disclaimer)
})

test('word frequencies are realistic, and every podcast has episodes with unique times', () => {
  const counts = new Map<string, number>()
  const times = new Map<string, Set<number>>()
  let episodes = 0
  for (const { description, podcastId, pubDateMs } of syntheticEpisodes(options)) {
    episodes++
    times.set(podcastId, (times.get(podcastId) ?? new Set()).add(pubDateMs))
    for (const word of description
      .replace(/<[^>]*>/g, ' ')
      .replace(disclaimer, '')
      .match(/\p{L}+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  expect(episodes).toBe(options.episodes)
  expect(times.size).toBe(options.podcasts)
  expect([...times.values()].reduce((sum, { size }) => sum + size, 0)).toBe(options.episodes)
  const sorted = [...counts.values()].sort((a, b) => b - a)
  const total = sorted.reduce((sum, count) => sum + count, 0)
  const share = (words: number) => sorted.slice(0, words).reduce((sum, count) => sum + count, 0) / total
  const once = sorted.filter((count) => count === 1).length / sorted.length
  console.log(
    `${sorted.length} words; the 100 most frequent are ${Math.round(share(100) * 100)} % of the text, ${Math.round(once * 100)} % occur once`,
  )
  expect(share(100)).toBeGreaterThan(0.3)
  expect(once).toBeGreaterThan(0.1)
})

test('a catalog is inserted in bulk', async () => {
  await using app = await start()
  const { database, clock } = app.platform
  const startedAt = performance.now()
  const inserted = await insertSynthetic(database, 'acme', { seed: 1, podcasts: 200, episodes: 20_000 }, clock.now())
  console.log(`20,000 episodes in ${Math.round(performance.now() - startedAt)} ms`)
  expect(inserted).toEqual({ podcasts: 200, episodes: 20_000 })
})

test('feeds have validators, which change with new episodes', async () => {
  await using catalog = await startCatalog({ feeds: 3 })
  const [address = ''] = catalog.feeds
  const first = await fetch(address)
  const etag = first.headers.get('etag') ?? ''
  expect(await first.text()).toContain('<podcast:guid>')
  const revalidate = () => fetch(address, { headers: { 'if-none-match': etag } })
  expect((await revalidate()).status).toBe(304)
  catalog.publish(0)
  const later = await revalidate()
  expect(later.status).toBe(200)
  expect((await later.text()).match(/<item>/g)).toHaveLength(catalog.episodes(0))
  const opml = await (await fetch(new URL('/feeds.opml', address))).text()
  expect(opml.match(/xmlUrl=/g)).toHaveLength(3)
})
