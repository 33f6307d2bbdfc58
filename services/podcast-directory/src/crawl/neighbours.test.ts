import { sql } from '@icosa/kernel'
import { shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { importOpml } from '../feeds/opml.ts'
import { callersOf, start } from '../testing/app.ts'
import { crawlNeighbours } from '../testing/neighbours.ts'
import { item, rss, send, startSite } from '../testing/site.ts'

// FLOOD=1000 npx vitest run services/podcast-directory/src/crawl/neighbours.test.ts
const flood = sized(100, 1_000)

test(`a tenant can import ${flood} feeds without delaying the feed of another tenant`, async () => {
  const measured = await crawlNeighbours(flood, 10, 1_000)
  console.log(`from submitting a feed until it is listed, ${shownNeighbours(measured)}`)
  expect(measured.overtaking, 'not after the whole import').toBeLessThan(flood / 2)
  expect(measured.deadlocks).toBe(0)
})

const opmlOf = (addresses: readonly string[]) =>
  `<opml version="2.0"><body>${addresses.map((url) => `<outline xmlUrl="${url}"/>`).join('')}</body></opml>`

test('tenants take turns at a shared host', async () => {
  await using app = await start()
  const { database, clock } = app.platform
  const pages = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`/${n}.xml`, send(rss(item({ guid: `${n}` })))] as const),
  )
  await using site = await startSite({ ...pages, '/own.xml': send(rss(item({ guid: 'own' }))) })
  await importOpml(database, 'evil', opmlOf(Object.keys(pages).map((path) => site.url + path)), clock.now())
  const { feeds } = await callersOf(app, 'acme')
  await feeds.submitPodcast({ body: { rss: `${site.url}/own.xml` } })
  await app.jobs.drain()
  expect(site.requests).toHaveLength(61)
  expect(site.requests.indexOf('/own.xml'), 'not after all feeds of the other tenant').toBeLessThan(3)
})

test('a tenant’s pending job does not block a host for others', async () => {
  await using app = await start({}, { worker: { concurrency: 1, background: false } })
  const { database, clock } = app.platform
  await using site = await startSite({ '/a.xml': send(rss(item({}))), '/b.xml': send(rss(item({}))) })
  await importOpml(database, 'evil', opmlOf([`${site.url}/a.xml`]), clock.now())
  await app.clock.advance(10_000)
  // A job of the other tenant is reserved for the host, but has not started.
  await database.run(sql`
    insert into podcast_directory.turns values (${new URL(site.url).host}, 'evil', gen_random_uuid(), ${new Date(
      clock.now().getTime() + 600_000,
    )})`)
  const { feeds } = await callersOf(app, 'acme')
  await feeds.submitPodcast({ body: { rss: `${site.url}/b.xml` } })
  await app.jobs.drain()
  expect(site.requests).toContain('/b.xml')
})
