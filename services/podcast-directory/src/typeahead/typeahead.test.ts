import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, halfADay, seekerOf, startDiscovery } from '../testing/discovery.ts'
import { keysOf, prefixOf } from './prefix.ts'

let app: Awaited<ReturnType<typeof startDiscovery>>
let me: Awaited<ReturnType<typeof seekerOf>>

beforeAll(async () => {
  app = await startDiscovery()
  me = await seekerOf(app)
  await fill(app, { seed: 5, podcasts: 100, episodes: 1_500 })
})
afterAll(() => app[Symbol.asyncDispose]())

test('a title has a key for each of its significant words', () => {
  expect(keysOf('The Daily Stoic')).toEqual(['daily stoic', 'stoic'])
  expect(keysOf('The Who')).toEqual(['the who'])
  expect(prefixOf('the dai')).toBe('dai')
  expect(prefixOf('Daily ')).toBe('daily ')
  expect(prefixOf('…')).toBe('')
})

test('podcasts are suggested by title, publisher and id, most popular first', async () => {
  const { body: results } = await me.search({ query: { q: 'synthetic', type: 'podcast' } })
  const [podcast] = results.results as unknown as {
    id: string
    title_original: string
    publisher_original: string
    storeone_id: number
  }[]
  if (!podcast) throw new Error('no podcast')
  const suggested = async (q: string) => (await me.typeahead({ query: { q, show_podcasts: 1 } })).body.podcasts ?? []
  const title = podcast.title_original
  const prefix = title.slice(0, title.length - 1)
  const suggestions = await suggested(prefix)
  expect(suggestions.map(({ id }) => id)).toContain(podcast.id)
  expect(suggestions[0]?.title_highlighted).toContain('<span class="ln-search-highlight">')
  expect(suggestions.length).toBeLessThanOrEqual(5)
  expect((await suggested(podcast.publisher_original)).map(({ id }) => id)).toContain(podcast.id)
  expect((await suggested(String(podcast.storeone_id))).map(({ id }) => id)).toEqual([podcast.id])
})

test('safe mode excludes explicit podcasts', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const all = async (safe_mode: 0 | 1) =>
    (await Promise.all(letters.map((q) => me.typeahead({ query: { q, show_podcasts: 1, safe_mode } })))).flatMap(
      ({ body }) => body.podcasts ?? [],
    )
  expect((await all(0)).some(({ explicit_content }) => explicit_content)).toBe(true)
  expect((await all(1)).some(({ explicit_content }) => explicit_content)).toBe(false)
})

test('genres are suggested by any of their words', async () => {
  const genres = async (q: string) =>
    (await me.typeahead({ query: { q, show_genres: 1 } })).body.genres?.map(({ name }) => name)
  expect(await genres('fic')).toContain('Fiction')
  expect(await genres('film')).toContain('TV & Film')
  expect((await me.typeahead({ query: { q: 'film' } })).body).not.toHaveProperty('genres')
})

test('earlier searches are suggested, related and trending', async () => {
  const { body: results } = await me.search({ query: { q: 'football' } })
  expect(results.total).toBeGreaterThan(0)
  for (const q of ['Football  season', 'football season', 'football "goal"', 'nosuchwordanywhere']) {
    await me.search({ query: { q } })
    await me.search({ query: { q, offset: 10 } }) // a second page does not count
  }
  await me.search({ query: { q: 'football season' } })
  const terms = async () => (await me.getTrendingSearches({})).body.terms
  await expect.poll(async () => (await terms())[0]).toBe('football season') // after the node has flushed its notes
  const trending = await terms()
  expect(trending).toContain('football goal')
  expect(trending).not.toContain('nosuchwordanywhere')

  await halfADay(app)
  expect((await me.typeahead({ query: { q: 'foot' } })).body.terms).toContain('football season')
  expect((await me.typeahead({ query: { q: 'seas' } })).body.terms[0]).toBe('football season')
  const related = (await me.getRelatedSearches({ query: { q: 'football' } })).body.terms
  expect(related[0]).toBe('football season')
  expect(related.length).toBeGreaterThan(3)
  expect(related).not.toContain('football')

  await app.clock.advance(10 * 86_400_000)
  expect((await me.getTrendingSearches({})).body.terms).toEqual([])
  const other = await seekerOf(app, 'globex')
  expect((await other.getTrendingSearches({})).body.terms).toEqual([])
})
