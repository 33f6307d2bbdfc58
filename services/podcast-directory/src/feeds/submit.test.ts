import { sql } from '@icosa/kernel'
import type { TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { startCatalog } from '../catalog/server.ts'
import { callersOf, start } from '../testing/app.ts'
import { item, rss, send, startSite } from '../testing/site.ts'

const hourMs = 3_600_000

test('a submitted feed is stored with its episodes, artwork and transcripts', async () => {
  await using app = await start()
  await using catalog = await startCatalog({ feeds: 1 })
  const { feeds, podcasts, episodes } = await callersOf(app)
  const rss = catalog.feeds[0] as string

  const { body: submitted } = await feeds.submitPodcast({ body: { rss } })
  expect(submitted).toMatchObject({ status: 'in review', podcast: { title: '' } })
  const { id } = submitted.podcast
  await expect(podcasts.getPodcastById({ params: { id } })).rejects.toMatchObject({ status: 404 })

  await app.jobs.drain()
  const { body: podcast } = await podcasts.getPodcastById({ params: { id } })
  expect(podcast).toMatchObject({ id, rss, email: 'owner@show-0.example', storeone_id: null })
  expect(podcast.title).not.toBe('')
  expect(podcast.description).toContain('synthetic')
  expect(podcast.genre_ids).toContain(67)
  expect(podcast.latest_episode_id).toBe(podcast.episodes[0]?.id)
  expect(podcast.update_frequency_hours).toBeGreaterThan(0)

  const thumbnail = await fetch(podcast.thumbnail.replace(/^https?:\/\/[^/]+/, app.url))
  expect(thumbnail.headers.get('content-type')).toBe('image/jpeg')
  const { body: backwards } = await podcasts.getPodcastById({ params: { id }, query: { sort: 'oldest_first' } })
  const oldest = backwards.episodes[0]?.id ?? ''
  const { body: plain } = await episodes.getEpisodeById({ params: { id: oldest } })
  expect(plain).not.toHaveProperty('transcript')
  const { body: episode } = await episodes.getEpisodeById({ params: { id: oldest }, query: { show_transcript: 1 } })
  expect(episode.transcript).toMatch(/^00:00:07 Welcome to a synthetic episode/)
  expect(episode.podcast.id).toBe(id)

  expect((await feeds.submitPodcast({ body: { rss } })).body).toMatchObject({ status: 'found', podcast: { id } })
})

interface Rows {
  readonly podcasts: readonly unknown[]
  readonly episodes: readonly { readonly xmin: string }[]
  readonly changes: number
}

/** All rows that a crawl may write, with their transactions. */
async function rowsOf({ platform: { database } }: TestApp): Promise<Rows> {
  const { changes } = await database.one<{ changes: number }>(sql`
    select pg_sequence_last_value(pg_get_serial_sequence('podcast_directory.changes', 'number'))::int as changes`)
  return {
    podcasts: await database.many(sql`select xmin::text, ctid::text, id from podcast_directory.podcasts order by id`),
    episodes: await database.many(sql`select xmin::text, ctid::text, id from podcast_directory.episodes order by id`),
    changes,
  }
}

test('the submitted email address is used if the feed has none', async () => {
  await using app = await start()
  const owner = '<title>A podcast</title><itunes:owner><itunes:email>host@show.example</itunes:email></itunes:owner>'
  await using site = await startSite({ '/without': send(rss(item({}))), '/with': send(rss(item({}), owner)) })
  const { feeds, podcasts } = await callersOf(app)
  const emailOf = async (path: string) => {
    const { body } = await feeds.submitPodcast({ body: { rss: `${site.url}${path}`, email: 'ada@example.com' } })
    await app.jobs.drain()
    return (await podcasts.getPodcastById({ params: { id: body.podcast.id } })).body.email
  }
  expect([await emailOf('/without'), await emailOf('/with')]).toEqual(['ada@example.com', 'host@show.example'])
})

test('a crawl that gets 304 writes nothing, and a new episode is written alone', async () => {
  await using app = await start()
  await using catalog = await startCatalog({ feeds: 1 })
  const { feeds, podcasts } = await callersOf(app)
  const { body } = await feeds.submitPodcast({ body: { rss: catalog.feeds[0] as string } })
  const params = { id: body.podcast.id }
  const crawlAgain = async () => {
    await app.clock.advance(2 * 60_000)
    expect((await feeds.refreshRss({ params })).body.status).toBe('refreshing')
    await app.jobs.drain()
  }
  await app.jobs.drain()
  expect((await feeds.refreshRss({ params })).body.status, 'it was just read').toBe('refreshed')
  const before = await rowsOf(app)
  const { requests } = catalog.traffic()

  await crawlAgain()
  expect(catalog.traffic()).toMatchObject({ requests: requests + 1, notModified: 1 })
  expect(await rowsOf(app)).toEqual(before)

  catalog.publish(0)
  await crawlAgain()
  const after = await rowsOf(app)
  const old = new Set(before.episodes.map(({ xmin }) => xmin))
  expect(after.episodes.filter(({ xmin }) => !old.has(xmin))).toHaveLength(1)
  expect(after.changes).toBe(before.changes + 2) // the episode and its podcast
  const { body: podcast } = await podcasts.getPodcastById({ params })
  expect(podcast.total_episodes).toBe(before.episodes.length + 1)
})

test('feeds are revisited automatically, frequently updated ones more often', async () => {
  await using app = await start()
  const now = app.platform.clock.now().getTime()
  const every = (hours: number) =>
    Array.from({ length: 10 }, (_, n) =>
      item({
        guid: `${n}`,
        audio: `https://a.example/${n}`,
        pubDate: new Date(now - n * hours * hourMs).toUTCString(),
      }),
    )
  await using site = await startSite({
    '/daily': send(rss(every(24).join(''))),
    '/weekly': send(rss(every(168).join(''))),
  })
  const { feeds } = await callersOf(app)
  for (const path of ['/daily', '/weekly']) await feeds.submitPodcast({ body: { rss: `${site.url}${path}` } })
  await app.jobs.drain()
  const visits = () =>
    Object.fromEntries(
      ['/daily', '/weekly'].map((path) => [path, site.requests.filter((request) => request === path).length]),
    )
  for (let step = 0; step < 34; step++) {
    await app.clock.advance(hourMs / 2)
    await app.jobs.drain()
  }
  // Seventeen hours: every 2.4 hours and every 16.8 hours, as far as half hours allow.
  expect(visits()).toEqual({ '/daily': 7, '/weekly': 2 })
})
