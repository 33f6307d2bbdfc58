import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { callersOf, start } from '../../testing/app.ts'
import { item, rss, send, startSite } from '../../testing/site.ts'

const weekMs = 7 * 24 * 3_600_000

test('a permanent redirect changes the URL of a feed, a temporary one does not', async () => {
  await using app = await start()
  const { feeds, podcasts } = await callersOf(app)
  const feed = send(rss(item({ guid: '1' })))
  await using target = await startSite({ '/new': feed, '/for-now': feed }, '127.0.0.2')
  await using site = await startSite({
    '/moved': (response) => response.writeHead(301, { location: `${target.url}/new` }).end(),
    '/away': (response) => response.writeHead(302, { location: `${target.url}/for-now` }).end(),
    '/first-away': (response) => response.writeHead(302, { location: '/then-moved' }).end(),
    '/then-moved': (response) => response.writeHead(301, { location: `${target.url}/for-now` }).end(),
  })
  const idOf = async (path: string) =>
    (await feeds.submitPodcast({ body: { rss: `${site.url}${path}` } })).body.podcast.id
  const ids = [await idOf('/moved'), await idOf('/away'), await idOf('/first-away')]
  await app.jobs.drain()
  const addresses = async () =>
    Promise.all(ids.map(async (id) => (await podcasts.getPodcastById({ params: { id } })).body.rss))
  expect(await addresses()).toEqual([`${target.url}/new`, `${site.url}/away`, `${site.url}/first-away`])

  const before = site.requests.length
  await app.clock.advance(8 * 24 * 3_600_000)
  await app.jobs.drain()
  expect(site.requests.slice(before).sort()).toEqual(['/away', '/first-away', '/then-moved'])
})

test('a feed that moved to the URL of another podcast keeps its own', async () => {
  await using app = await start()
  const { feeds, podcasts } = await callersOf(app)
  await using site = await startSite({
    '/old': (response) => response.writeHead(308, { location: '/new' }).end(),
    '/new': send(rss(item({ guid: '1' }))),
  })
  await feeds.submitPodcast({ body: { rss: `${site.url}/new` } })
  const { body } = await feeds.submitPodcast({ body: { rss: `${site.url}/old` } })
  await app.jobs.drain()
  const { body: podcast } = await podcasts.getPodcastById({ params: { id: body.podcast.id } })
  expect(podcast.rss).toBe(`${site.url}/old`)
})

test('the new URL in a feed is followed, even in a loop', async () => {
  await using app = await start()
  const { feeds, podcasts } = await callersOf(app)
  const movedTo = (path: string) => `<title>Moving</title><itunes:new-feed-url>${path}</itunes:new-feed-url>`
  await using site = await startSite({
    '/old': send(rss(item({ guid: '1' }), movedTo('/new'))),
    '/new': send(rss(item({ guid: '1' }), movedTo('/old'))),
  })
  const { body } = await feeds.submitPodcast({ body: { rss: `${site.url}/old` } })
  await app.jobs.drain()
  const { body: podcast } = await podcasts.getPodcastById({ params: { id: body.podcast.id } })
  expect(podcast.rss).toBe(`${site.url}/new`)
  expect(site.requests).toEqual(['/old', '/new'])
})

test('a failing feed is visited less and less often, until it recovers', async () => {
  await using app = await start()
  const { feeds, podcasts } = await callersOf(app)
  let isUp = true
  await using site = await startSite({
    '/feed': (response) => (isUp ? response.end(rss(item({ guid: '1' }))) : response.writeHead(500).end()),
  })
  const { body } = await feeds.submitPodcast({ body: { rss: `${site.url}/feed` } })
  await app.jobs.drain()
  isUp = false
  const pauses: number[] = []
  for (let failure = 0; failure < 4; failure++) {
    await app.clock.advance(2 * weekMs)
    await app.jobs.drain()
    const { pause } = await app.platform.database.one<{ pause: number }>(sql`
      select round(extract(epoch from due_at - visited_at) / 3600)::int as pause from podcast_directory.crawls`)
    pauses.push(pause)
  }
  expect(pauses).toEqual([2, 4, 8, 16])
  expect((await podcasts.getPodcastById({ params: { id: body.podcast.id } })).status).toBe(200)
  isUp = true
  await app.clock.advance(2 * weekMs)
  await app.jobs.drain()
  const row = sql`select failures, error from podcast_directory.crawls where kind = 'feed'`
  expect(await app.platform.database.one(row)).toEqual({ failures: 0, error: null })
})

test('a rate-limited host is paused with all its feeds for as long as it requests', async () => {
  await using app = await start()
  const { feeds } = await callersOf(app)
  let isBusy = true
  const page = (response: Parameters<ReturnType<typeof send>>[0]) =>
    isBusy ? response.writeHead(429, { 'retry-after': '7200' }).end() : response.end(rss(item({ guid: '1' })))
  await using site = await startSite({ '/one': page, '/two': page })
  for (const path of ['/one', '/two']) await feeds.submitPodcast({ body: { rss: `${site.url}${path}` } })
  await app.jobs.drain()
  expect(site.requests).toHaveLength(1)
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  expect(site.requests).toHaveLength(1)
  isBusy = false
  await app.clock.advance(2 * 3_600_000)
  await app.jobs.drain()
  const listed = sql`select count(*)::int as count from podcast_directory.podcasts where status = 'listed'`
  expect(await app.platform.database.one(listed)).toEqual({ count: 2 })
})

test('a podcast whose owner asks not to be listed is rejected or removed', async () => {
  await using app = await start()
  const { feeds, podcasts } = await callersOf(app)
  const blocking = rss(item({ guid: '1' }), '<title>Private</title><itunes:block>Yes</itunes:block>')
  let isBlocked = false
  await using site = await startSite({
    '/always': send(blocking),
    '/later': (response) => response.end(isBlocked ? blocking : rss(item({ guid: '1' }))),
  })
  const submit = async (path: string) => (await feeds.submitPodcast({ body: { rss: `${site.url}${path}` } })).body
  await submit('/always')
  const { podcast } = await submit('/later')
  await app.jobs.drain()
  expect((await submit('/always')).status).toBe('rejected')
  expect((await podcasts.getPodcastById({ params: { id: podcast.id } })).status).toBe(200)
  isBlocked = true
  await app.clock.advance(8 * 24 * 3_600_000)
  await app.jobs.drain()
  await expect(podcasts.getPodcastById({ params: { id: podcast.id } })).rejects.toMatchObject({ status: 404 })
})
