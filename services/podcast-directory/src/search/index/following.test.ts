import { sql } from '@icosa/kernel'
import type { TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { fill, halfADay, indexed, seekerOf, startDiscovery } from '../../testing/discovery.ts'
import { item, rss, send, startSite } from '../../testing/site.ts'

const feed = (title: string, episode: string) =>
  send(rss(item({ title: episode, guid: '1', pubDate: 'Wed, 01 Jan 2025 12:00:00 GMT' }), `<title>${title}</title>`))

const timeoutMs = 20_000

test('a submitted feed is searchable moments later, with background workers', async () => {
  await using app = await startDiscovery({ worker: { concurrency: 4, background: true } })
  await using site = await startSite({ '/feed.xml': feed('Zanzibar weekly', 'Cloves and cardamom') })
  const me = await seekerOf(app)
  const startedAt = performance.now()
  await me.feeds.submitPodcast({ body: { rss: `${site.url}/feed.xml` } })
  await expect
    .poll(async () => (await me.search({ query: { q: 'cardamom' } })).body.total, { timeout: timeoutMs, interval: 50 })
    .toBe(1)
  console.log(`from submission to the first hit: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s (goal 2 s)`)
})

const total = async (me: Awaited<ReturnType<typeof seekerOf>>, q: string, type: 'episode' | 'podcast' = 'episode') =>
  (await me.search({ query: { q, type } })).body.total

test('episodes are reindexed when their podcast is renamed, and removed when it is deleted', async () => {
  const pages = { '/feed.xml': feed('Old name', 'Only episode') }
  await using app = await startDiscovery()
  await using site = await startSite(pages)
  const me = await seekerOf(app)
  const { body } = await me.feeds.submitPodcast({ body: { rss: `${site.url}/feed.xml` } })
  const { id } = body.podcast
  await app.jobs.drain()
  await indexed(app)
  expect(await total(me, 'old name')).toBe(1)

  pages['/feed.xml'] = feed('New name', 'Only episode, again')
  await app.clock.advance(3_600_000)
  await me.feeds.refreshRss({ params: { id } })
  await app.jobs.drain()
  await indexed(app)
  expect(await total(me, 'old')).toBe(0)
  expect(await total(me, 'new again')).toBe(1)
  expect(await total(me, 'new', 'podcast')).toBe(1)

  await me.feeds.deletePodcastById({ params: { id }, query: { reason: 'done' } })
  expect((await me.search({ query: { q: 'new' } })).body.results).toEqual([])
  await app.jobs.drain()
  await indexed(app)
  expect(await total(me, 'new')).toBe(0)
  expect(await total(me, 'new', 'podcast')).toBe(0)
  expect((await me.typeahead({ query: { q: 'new', show_podcasts: 1 } })).body.podcasts).toEqual([])
  expect(await indexRows(app)).toEqual({ documents: 0, counted: 0 })
})

async function indexRows({ platform: { database } }: TestApp) {
  return database.one(sql`
    select (select count(*)::integer from podcast_directory.documents) as documents,
      (select sum(documents)::integer from podcast_directory.shelves where length(period) = 4) as counted`)
}

test('scores move podcasts and episodes to other shelves, and shelf counts stay correct', async () => {
  await using app = await startDiscovery()
  await fill(app, { seed: 3, podcasts: 40, episodes: 400 })
  const me = await seekerOf(app)
  const before = await total(me, 'synthetic')
  await halfADay(app)
  const { database } = app.platform
  const wrong = await database.many(sql`
    select shelf, period, s.documents::integer as counted, d.documents::integer as real
    from (select shelf, period, documents from podcast_directory.shelves where documents <> 0) s full join (
      select shelf, to_char(to_timestamp(published_ms / 1000) at time zone 'UTC', form) as period,
        count(*) as documents
      from podcast_directory.documents, unnest('{YYYY-MM,YYYY}'::text[]) as form group by 1, 2) d using (shelf, period)
    where s.documents is distinct from d.documents`)
  expect(wrong).toEqual([])
  const misplaced = await database.many(sql`
    select d.id from podcast_directory.documents d
      join podcast_directory.podcasts p on p.tenant = d.tenant and p.id = d.podcast_id
    where right(d.shelf, 1) <> case when p.listen_score >= 60 then '0' when p.listen_score >= 40 then '1'
      when p.listen_score >= 20 then '2' else '3' end`)
  expect(misplaced).toEqual([])
  expect(before).toBe(400)
  expect(await total(me, 'synthetic')).toBe(400)
})
