import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill, halfADay, seekerOf, startDiscovery } from '../testing/discovery.ts'
import { importCuratedLists } from './curated/import.ts'
import { importPlaylists } from './playlists/import.ts'

let app: Awaited<ReturnType<typeof startDiscovery>>
let me: Awaited<ReturnType<typeof seekerOf>>

beforeAll(async () => {
  app = await startDiscovery()
  me = await seekerOf(app)
  await fill(app, { seed: 9, podcasts: 120, episodes: 1_200 })
  await halfADay(app)
  await halfADay(app)
})
afterAll(() => app[Symbol.asyncDispose]())

test('genres, regions and languages can be listed', async () => {
  const { genres } = (await me.getGenres({})).body
  const top = (await me.getGenres({ query: { top_level_only: 1 } })).body.genres
  expect(top.length).toBeGreaterThan(10)
  expect(top.every(({ parent_id }) => parent_id === 67)).toBe(true)
  expect(genres.length).toBeGreaterThan(top.length)
  expect((await me.getRegions({})).body.regions).toMatchObject({ us: 'United States', gb: 'United Kingdom' })
  expect((await me.getLanguages({})).body.languages.slice(0, 2)).toEqual(['Any language', 'Afar'])
})

test('best podcasts can be filtered by genre and region, and sorted', async () => {
  const best = async (query: NonNullable<Parameters<typeof me.getBestPodcasts>[0]['query']>) =>
    (await me.getBestPodcasts({ query })).body
  const all = await best({ sort: 'listen_score' })
  expect(all).toMatchObject({ id: 67, name: 'Podcasts', page_number: 1, has_previous: false })
  expect(all.podcasts).toHaveLength(20)
  const scores = all.podcasts.map(({ listen_score }) => listen_score ?? 0)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(scores[0]).toBe(100)
  const second = await best({ sort: 'listen_score', page: 2 })
  expect(second).toMatchObject({ page_number: 2, has_previous: true, previous_page_number: 1, total: all.total })
  const ids = new Set([...all.podcasts, ...second.podcasts].map(({ id }) => id))
  expect(ids.size).toBe(all.podcasts.length + second.podcasts.length)

  const german = await best({ region: 'de', publisher_region: 'de', language: 'German' })
  expect(german.total).toBeGreaterThan(0)
  expect(german.podcasts.every(({ country, language }) => country === 'Germany' && language === 'German')).toBe(true)
  const [genreId = 0] = all.podcasts[0]?.genre_ids ?? []
  const ofGenre = await best({ genre_id: String(genreId), safe_mode: 1 })
  expect(ofGenre.id).toBe(genreId)
  expect(
    ofGenre.podcasts.every(({ genre_ids, explicit_content }) => genre_ids.includes(genreId) && !explicit_content),
  ).toBe(true)
  const dates = (await best({ sort: 'oldest_published_first' })).podcasts.map(
    ({ latest_pub_date_ms }) => latest_pub_date_ms,
  )
  expect(dates).toEqual(dates.toSorted((a, b) => a - b))

  for (const query of [{ genre_id: '999999' }, { genre_id: 'x' }, { region: 'zz' }])
    await expect(best(query)).rejects.toMatchObject({ status: 404 })
})

test('popular podcasts are put into curated lists, which can be paged, read and searched', async () => {
  const { body } = await me.getCuratedPodcasts({})
  expect(body.total).toBeGreaterThan(10)
  expect(body.curated_lists.every(({ podcasts }) => podcasts.length <= 5)).toBe(true)
  const [first] = body.curated_lists
  if (!first) throw new Error('no list')
  const { body: whole } = await me.getCuratedPodcastById({ params: { id: first.id } })
  expect(whole).toMatchObject({ id: first.id, title: first.title, total: first.total, source_domain: '127.0.0.1' })
  expect(whole.podcasts).toHaveLength(first.total)
  const { body: results } = await me.search({ query: { q: `"${first.title}"`, type: 'curated' } })
  expect(results.results.map(({ id }) => id)).toContain(first.id)
  await expect(me.getCuratedPodcastById({ params: { id: 'none' } })).rejects.toMatchObject({ status: 404 })
})

test("an operator's lists are kept along with computed ones", async () => {
  const { database, clock } = app.platform
  const [one, two] = (await me.getBestPodcasts({})).body.podcasts
  const file = [
    {
      title: 'Seven shows for a rainy zeppelin',
      source_url: 'https://paper.example/shows',
      podcasts: [two?.rss ?? '', one?.id ?? '', 'https://nowhere.example/feed'],
    },
  ]
  expect(await database.transaction((db) => importCuratedLists(db, 'acme', file, clock.now()))).toBe(1)
  await halfADay(app)
  const { body } = await me.search({ query: { q: 'zeppelin', type: 'curated' } })
  expect(body).toMatchObject({ total: 1, results: [{ source_domain: 'paper.example', total: 2 }] })
  const { body: list } = await me.getCuratedPodcastById({ params: { id: body.results[0]?.id ?? '' } })
  expect(list.podcasts.map(({ id }) => id)).toEqual([two?.id, one?.id])
  const wrong = importCuratedLists(database, 'acme', [{ title: '', podcasts: [] }], clock.now())
  await expect(wrong).rejects.toMatchObject({ kind: 'invalid' })
})

test('playlists can be imported, listed and paged', async () => {
  const { database, clock } = app.platform
  const { body: results } = await me.search({ query: { q: 'synthetic' } })
  const episodes = (
    await Promise.all([0, 10, 20].map((offset) => me.search({ query: { q: 'synthetic', offset } })))
  ).flatMap(({ body }) => body.results.map(({ id }) => id))
  const [podcast] = (await me.getBestPodcasts({})).body.podcasts
  const file = [
    {
      name: 'Later',
      visibility: 'unlisted',
      items: [
        ...episodes.map((episode_id, nth) => ({
          episode_id,
          notes: `note ${nth}`,
          added_at_ms: 1_700_000_000_000 + nth,
        })),
        { podcast_id: podcast?.id, added_at_ms: 1_800_000_000_000 },
        { audio: 'https://own.example/a.mp3', title: 'My own', audio_length_sec: 60, added_at_ms: 1_600_000_000_000 },
      ],
    },
    { name: 'Empty', items: [] },
  ]
  await database.transaction((db) => importPlaylists(db, 'acme', file, clock.now()))
  const { body: all } = await me.getPlaylists({ query: { sort: 'name_z_to_a' } })
  expect(all).toMatchObject({
    total: 2,
    playlists: [
      { name: 'Later', episode_count: 31, podcast_count: 1, last_timestamp_ms: 1_800_000_000_000 },
      { name: 'Empty' },
    ],
  })
  const id = all.playlists[0]?.id ?? ''
  const page = async (query: NonNullable<Parameters<typeof me.getPlaylistById>[0]['query']>) =>
    (await me.getPlaylistById({ params: { id }, query })).body
  const first = await page({})
  expect(first).toMatchObject({ id, name: 'Later', type: 'episode_list', total: 31, visibility: 'unlisted' })
  expect(first.items).toHaveLength(20)
  expect(first.items[0]).toMatchObject({ type: 'episode', notes: 'note 29', added_at_ms: 1_700_000_000_029 })
  const rest = await page({ last_timestamp_ms: first.last_timestamp_ms })
  expect(rest.items).toHaveLength(11)
  expect(rest.items.at(-1)).toMatchObject({ type: 'custom_audio', data: { title: 'My own', audio_length_sec: 60 } })
  expect((await page({ last_timestamp_ms: rest.last_timestamp_ms })).items).toEqual([])
  const dates = (await page({ sort: 'oldest_published_first' })).items.map(
    ({ data }) => (data as { pub_date_ms: number }).pub_date_ms,
  )
  expect(dates).toEqual(dates.toSorted((a, b) => a - b))
  expect((await page({ type: 'podcast_list' })).items).toMatchObject([{ type: 'podcast', data: { id: podcast?.id } }])
  expect(results.total).toBeGreaterThan(30)

  const other = await seekerOf(app, 'globex')
  await expect(other.getPlaylistById({ params: { id } })).rejects.toMatchObject({ status: 404 })
  const wrong = importPlaylists(database, 'acme', [{ name: 'x', items: [{ notes: 'nothing' }] }], clock.now())
  await expect(wrong).rejects.toMatchObject({ kind: 'invalid' })
})

test('a playlist keeps the titles of deleted podcasts', async () => {
  const { database, clock } = app.platform
  const { body: results } = await me.search({ query: { q: 'synthetic', type: 'podcast' } })
  const { id, title_original: title } = results.results[0] as { id: string; title_original: string }
  await database.transaction((db) =>
    importPlaylists(db, 'acme', [{ name: 'Gone', items: [{ podcast_id: id }] }], clock.now()),
  )
  await me.feeds.deletePodcastById({ params: { id } })
  const { body: lists } = await me.getPlaylists({ query: { sort: 'name_a_to_z' } })
  const playlist = lists.playlists.find(({ name }) => name === 'Gone')
  const { body } = await me.getPlaylistById({ params: { id: playlist?.id ?? '' }, query: { type: 'podcast_list' } })
  expect(body.items).toMatchObject([{ type: 'podcast', data: { id, title, status: 'deleted' } }])
})

test('a random episode can be read', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => me.justListen({})))
  expect(new Set(responses.map(({ body }) => body.id)).size).toBeGreaterThan(1)
  expect(responses[0]?.body.podcast.title).not.toBe('')
  const other = await seekerOf(app, 'initech')
  await expect(other.justListen({})).rejects.toMatchObject({ status: 404 })
})
