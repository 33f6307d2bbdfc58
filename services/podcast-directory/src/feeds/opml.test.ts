import { expect, test } from 'vitest'
import { startCatalog } from '../catalog/server.ts'
import { callersOf, start } from '../testing/app.ts'
import { importOpml } from './opml.ts'

test('imported feeds are found by the crawler', async () => {
  await using app = await start()
  await using catalog = await startCatalog({ feeds: 6 })
  const { database, clock } = app.platform
  const [first, second, ...others] = catalog.feeds.map((url) => `<outline type="rss" text="x" xmlUrl="${url}"/>`)
  const opml = `<?xml version="1.0"?><opml version="2.0"><head/><body>${first}${first}<outline text="Folder">${second}
    <outline text="Deeper">${others.join('')}</outline></outline><outline xmlUrl="ftp://nowhere/"/><outline text="no feed"/></body></opml>`
  expect(await importOpml(database, 'acme', opml, clock.now())).toEqual({ added: 6, found: 0, refused: 1 })
  expect(await importOpml(database, 'acme', opml, clock.now())).toEqual({ added: 0, found: 6, refused: 1 })
  await expect(importOpml(database, 'acme', 'no list', clock.now())).rejects.toMatchObject({ kind: 'invalid' })

  await app.clock.advance(10_000)
  await app.jobs.drain()
  const { podcasts } = await callersOf(app)
  const { body } = await podcasts.getPodcastsInBatch({ body: { rsses: catalog.feeds.join(',') } })
  expect(body.podcasts).toHaveLength(6)
})
