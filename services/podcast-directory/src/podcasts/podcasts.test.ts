import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCatalog } from '../catalog/server.ts'
import { callersOf, start } from '../testing/app.ts'
import { item, rss, send, startSite } from '../testing/site.ts'

let app: Awaited<ReturnType<typeof start>>
let callers: Awaited<ReturnType<typeof callersOf>>

beforeAll(async () => {
  app = await start()
  callers = await callersOf(app)
})
afterAll(() => app[Symbol.asyncDispose]())

/** A podcast whose episodes were all published in the same second. */
async function podcastOf(episodes: number, channel?: string): Promise<{ readonly id: string; readonly rss: string }> {
  const items = Array.from({ length: episodes }, (_, n) =>
    item({
      title: `Number ${n}`,
      guid: `${n}`,
      audio: `https://a.example/${n}.mp3`,
      pubDate: 'Thu, 01 Jan 2026 00:00:00 GMT',
    }),
  )
  await using site = await startSite({ '/feed': send(rss(items.join(''), channel)) })
  const { body } = await callers.feeds.submitPodcast({ body: { rss: `${site.url}/feed` } })
  await app.jobs.drain()
  return { id: body.podcast.id, rss: `${site.url}/feed` }
}

test.each(['recent_first', 'oldest_first'] as const)(
  'episodes are paged by time, %s, without gaps or duplicates',
  async (sort) => {
    const { id } = await podcastOf(25)
    const titles: string[] = []
    const sizes: number[] = []
    let next: number | null | undefined
    do {
      const query = { sort, ...(next && { next_episode_pub_date: next }) }
      const { body } = await callers.podcasts.getPodcastById({ params: { id }, query })
      titles.push(...body.episodes.map(({ title }) => title))
      sizes.push(body.episodes.length)
      next = body.next_episode_pub_date
    } while (next)
    expect(sizes).toEqual([10, 10, 5])
    expect(new Set(titles).size).toBe(25)
  },
)

test('podcasts are read in batches by ids here and on other platforms', async () => {
  const channel = `<title>Known</title><description>https://podcasts.apple.com/us/podcast/x/id555555555
    https://open.spotify.com/show/1234567890123456789012</description>`
  const one = await podcastOf(20, channel)
  const two = await podcastOf(3)
  const { podcasts } = callers
  const idsBy = async (body: Parameters<typeof podcasts.getPodcastsInBatch>[0]['body']) =>
    (await podcasts.getPodcastsInBatch({ body })).body.podcasts.map(({ id }) => id)
  expect((await idsBy({ ids: `${one.id},${two.id},unknown` })).sort()).toEqual([one.id, two.id].sort())
  expect(await idsBy({ rsses: one.rss })).toEqual([one.id])
  expect(await idsBy({ storeone_ids: '555555555' })).toEqual([one.id])
  expect(await idsBy({ itunes_ids: '555555555,7' })).toEqual([one.id])
  expect(await idsBy({ storetwo_ids: '1234567890123456789012' })).toEqual([one.id])
  expect(await idsBy({ spotify_ids: '1234567890123456789012' })).toEqual([one.id])

  const body = { ids: `${one.id},${two.id}`, show_latest_episodes: 1 }
  const first = (await podcasts.getPodcastsInBatch({ body })).body
  expect(first.latest_episodes?.length).toBeGreaterThanOrEqual(15)
  const rest = (
    await podcasts.getPodcastsInBatch({ body: { ...body, next_episode_pub_date: first.next_episode_pub_date ?? 0 } })
  ).body
  const all = [...(first.latest_episodes ?? []), ...(rest.latest_episodes ?? [])]
  expect(new Set(all.map(({ id }) => id)).size).toBe(23)
  expect(all).toHaveLength(23)
  const times = all.map(({ pub_date_ms }) => pub_date_ms)
  expect(times).toEqual([...times].sort((a, b) => b - a))

  await expect(podcasts.getPodcastsInBatch({ body: {} })).rejects.toMatchObject({ status: 400 })
  const many = Array.from({ length: 101 }, (_, n) => n.toString(16).padStart(32, '0')).join(',')
  await expect(podcasts.getPodcastsInBatch({ body: { ids: many } })).rejects.toMatchObject({ status: 400 })
})

test('episodes are read in batches, in the requested order', async () => {
  const { id } = await podcastOf(3)
  const { body } = await callers.podcasts.getPodcastById({ params: { id } })
  const ids = body.episodes.map((episode) => episode.id).reverse()
  const batch = await callers.episodes.getEpisodesInBatch({ body: { ids: [...ids, 'f'.repeat(32)].join(',') } })
  expect(batch.body.episodes.map((episode) => episode.id)).toEqual(ids)
  expect(batch.body.episodes[0]?.podcast).toMatchObject({ id, title: 'A podcast' })
})

test('podcasts of a domain are listed in pages', async () => {
  const channel = '<title>Of a domain</title><link>https://www.shared.example/show</link>'
  for (let n = 0; n < 11; n++) await podcastOf(1, channel)
  const page = async (number: number) =>
    (
      await callers.podcasts.getPodcastsByDomainName({
        params: { domain_name: 'Shared.example' },
        query: { page: number },
      })
    ).body
  const [first, second] = [await page(1), await page(2)]
  expect(first).toMatchObject({
    page_number: 1,
    has_next: true,
    next_page_number: 2,
    has_previous: false,
    previous_page_number: 0,
  })
  expect(second).toMatchObject({ page_number: 2, has_next: false, has_previous: true, previous_page_number: 1 })
  expect(new Set([...first.podcasts, ...second.podcasts].map(({ id }) => id)).size).toBe(11)
  const nowhere = callers.podcasts.getPodcastsByDomainName({ params: { domain_name: 'nowhere.example' } })
  await expect(nowhere).rejects.toMatchObject({ status: 404 })
})

test('a directory is visible only to its tenant', async () => {
  const { id, rss: address } = await podcastOf(1)
  const mallory = await callersOf(app, 'mallory')
  await expect(mallory.podcasts.getPodcastById({ params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(mallory.feeds.deletePodcastById({ params: { id } })).rejects.toMatchObject({ status: 404 })
  expect((await mallory.podcasts.getPodcastsInBatch({ body: { ids: id, rsses: address } })).body.podcasts).toEqual([])
})

test('a deleted podcast is hidden immediately, and gets a new id if submitted again', async () => {
  await using catalog = await startCatalog({ feeds: 1 })
  const address = catalog.feeds[0] as string
  const { body } = await callers.feeds.submitPodcast({ body: { rss: address } })
  await app.jobs.drain()
  const params = { id: body.podcast.id }
  const { body: podcast } = await callers.podcasts.getPodcastById({ params })
  const episode = { id: podcast.latest_episode_id ?? '' }

  const dryRun = await callers.feeds.deletePodcastById({ params, query: { reason: 'testing' } })
  expect(dryRun.body).toEqual({ status: 'in review' })
  expect((await callers.podcasts.getPodcastById({ params })).status).toBe(200)
  expect((await callers.feeds.deletePodcastById({ params, query: { reason: 'asked' } })).body).toEqual({
    status: 'deleted',
  })
  await expect(callers.podcasts.getPodcastById({ params })).rejects.toMatchObject({ status: 404 })
  await expect(callers.episodes.getEpisodeById({ params: episode })).rejects.toMatchObject({ status: 404 })
  expect((await callers.feeds.deletePodcastById({ params })).body).toEqual({ status: 'deleted' })
  await app.jobs.drain()
  const thumbnail = await fetch(podcast.thumbnail.replace(/^https?:\/\/[^/]+/, app.url))
  expect(thumbnail.status).toBe(404)

  const resubmitted = (await callers.feeds.submitPodcast({ body: { rss: address } })).body
  expect(resubmitted.status).toBe('in review')
  expect(resubmitted.podcast.id).not.toBe(params.id)
  await app.jobs.drain()
  const { body: current } = await callers.podcasts.getPodcastById({ params: { id: resubmitted.podcast.id } })
  expect(current.total_episodes).toBe(podcast.total_episodes)
})

test('a rejection lasts for a day', async () => {
  await using site = await startSite({ '/page': send('<html></html>') })
  const submit = async () => (await callers.feeds.submitPodcast({ body: { rss: `${site.url}/page` } })).body.status
  expect(await submit()).toBe('in review')
  await app.jobs.drain()
  expect(await submit()).toBe('rejected')
  expect(site.requests).toHaveLength(1)
  await app.clock.advance(25 * 3_600_000)
  expect(await submit()).toBe('in review')
})
