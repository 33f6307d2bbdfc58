import { defaultSettings, podcastDirectory } from '@icosa/podcast-directory'
import { type Catalog, startCatalog } from '@icosa/podcast-directory/catalog'
import { type Api, Client } from 'podcast-api'
import { Client as OldestClient } from 'podcast-api-1'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './signed-support.ts'
import { type SdkApp, startSdkApp } from './tls.ts'

let sdkApp: SdkApp
let catalog: Catalog

beforeAll(async () => {
  catalog = await startCatalog({ feeds: 12 })
  sdkApp = await startSdkApp(() => [podcastDirectory({ ...defaultSettings, hostPauseMs: 0 })])
})
afterAll(async () => {
  await sdkApp[Symbol.asyncDispose]()
  await catalog[Symbol.asyncDispose]()
})

describe.each([
  ['1.0.7', 'http', OldestClient],
  ['1.0.7', 'https', OldestClient],
  ['2.0.4', 'http', Client],
  ['2.0.4', 'https', Client],
] as const)('podcast-api %s over %s', (version, scheme, Client) => {
  /** The client has no option for another base URL, but exposes its HTTP client, which does. */
  function clientWith(apiKey: string): Api {
    const api = Client({ apiKey })
    api.httpClient.defaults.baseURL = `${sdkApp.at(scheme)}/podcast-directory`
    return api
  }

  let api: Api
  let podcast: { id: string; title: string; latest_episode_id: string; rss: string; website: string }

  beforeAll(async () => {
    api = clientWith(await sdkApp.app.key(`acme-${version}-${scheme}`))
    const answers = await Promise.all(catalog.feeds.map((rss) => api.submitPodcast({ rss })))
    for (const { data } of answers) expect(data.status).toBeOneOf(['in review', 'found', 'rejected'])
    const results = await eventually(
      async () => (await api.batchFetchPodcasts({ rsses: catalog.feeds.join(',') })).data.podcasts,
      (podcasts) => podcasts.length >= 6,
    )
    podcast = (await api.fetchPodcastById({ id: results[0].id })).data
  })

  test('a submitted podcast can be read with the original field names', async () => {
    expect(podcast).toMatchObject({
      id: expect.any(String),
      listennotes_url: expect.any(String),
      episodes: expect.any(Array),
    })
    const { data } = await api.fetchEpisodeById({ id: podcast.latest_episode_id, show_transcript: 1 })
    expect(data).toMatchObject({ id: podcast.latest_episode_id, podcast: { id: podcast.id } })
    expect((await api.batchFetchEpisodes({ ids: podcast.latest_episode_id })).data.episodes).toHaveLength(1)
  })

  test('search finds an episode by its title', async () => {
    const episode = (await api.fetchEpisodeById({ id: podcast.latest_episode_id })).data
    const { data } = await eventually(
      () => api.search({ q: episode.title, sort_by_date: 0, type: 'episode' }),
      (answer) => answer.data.results.some(({ id }: { id: string }) => id === episode.id),
    )
    expect(data.results.map(({ id }: { id: string }) => id)).toContain(episode.id)
    expect(data).toMatchObject({
      total: expect.any(Number),
      count: expect.any(Number),
      next_offset: expect.any(Number),
    })
    const [word] = podcast.title.split(' ')
    expect((await api.typeahead({ q: word?.slice(0, 4), show_podcasts: 1, show_genres: 1 })).data.terms).toBeInstanceOf(
      Array,
    )
  })

  test('lists and recommendations are read', async () => {
    expect((await api.fetchBestPodcasts({})).data.podcasts).toBeInstanceOf(Array)
    expect((await api.fetchPodcastGenres({})).data.genres.length).toBeGreaterThan(10)
    expect(Object.keys((await api.fetchPodcastRegions()).data.regions).length).toBeGreaterThan(10)
    expect((await api.fetchPodcastLanguages()).data.languages).toContain('English')
    expect((await api.justListen()).data).toMatchObject({
      audio: expect.any(String),
      podcast: { id: expect.any(String) },
    })
    expect((await api.fetchRecommendationsForPodcast({ id: podcast.id })).data.recommendations).toBeInstanceOf(Array)
    const episode = podcast.latest_episode_id
    expect((await api.fetchRecommendationsForEpisode({ id: episode })).data.recommendations).toBeInstanceOf(Array)
    expect((await api.fetchCuratedPodcastsLists({ page: 1 })).data.curated_lists).toBeInstanceOf(Array)
    expect((await api.fetchMyPlaylists({})).data.playlists).toBeInstanceOf(Array)
  })

  if (version.startsWith('2')) {
    test('operations that version 1 of the client lacks succeed', async () => {
      const domain_name = new URL(podcast.website).hostname.replace(/^www\./, '')
      expect((await api.fetchPodcastsByDomain({ domain_name })).data.podcasts.length).toBeGreaterThan(0)
      const episode = (await api.fetchEpisodeById({ id: podcast.latest_episode_id })).data
      const titles = await api.searchEpisodeTitles({ q: episode.title, podcast_id: podcast.id })
      expect(titles.data.results.map(({ id }: { id: string }) => id)).toContain(episode.id)
      expect((await api.spellcheck({ q: 'evergren' })).data).toHaveProperty('corrected_text_html')
      const [q] = podcast.title.split(' ')
      expect((await api.fetchRelatedSearches({ q })).data.terms).toBeInstanceOf(Array)
      expect((await api.fetchTrendingSearches()).data.terms).toBeInstanceOf(Array)
      expect((await api.fetchAudienceForPodcast({ id: podcast.id })).data.by_regions).toBeInstanceOf(Array)
    })
  }

  test('a deleted podcast is no longer found', async () => {
    const { data } = await api.deletePodcast({ id: podcast.id, reason: 'the publisher asked' })
    expect(data.status).toBeTruthy()
    const { podcasts } = (await api.batchFetchPodcasts({ ids: podcast.id })).data
    expect(podcasts).toEqual([])
  })

  test('the client reports 404 for a missing resource and 401 for a wrong key', async () => {
    const id = '0'.repeat(32)
    const asks = ['fetchPodcastById', 'fetchEpisodeById', 'fetchCuratedPodcastsListById', 'fetchPlaylistById'] as const
    for (const ask of asks) await expect(api[ask]({ id }), ask).rejects.toMatchObject({ response: { status: 404 } })
    // Last: all clients of a process share their headers.
    await expect(clientWith('nobody').search({ q: 'star' })).rejects.toMatchObject({ response: { status: 401 } })
  })
})
