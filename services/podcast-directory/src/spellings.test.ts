import { expect, test } from 'vitest'
import { startCatalog } from './catalog/server.ts'
import { keyHeaders } from './names.ts'
import { callersOf, start } from './testing/app.ts'

test('the original header selects the original field names, under the original path', async () => {
  await using app = await start()
  await using catalog = await startCatalog({ feeds: 1 })
  const { feeds, key } = await callersOf(app)
  const { body } = await feeds.submitPodcast({ body: { rss: catalog.feeds[0] as string } })
  await app.jobs.drain()
  const fetchJson = async (header: string, prefix: string, path = `podcasts/${body.podcast.id}`) =>
    (await (
      await fetch(`${app.url}/podcast-directory${prefix}/${path}`, { headers: { [header]: key } })
    ).json()) as Record<string, unknown>

  const [neutral, original] = [await fetchJson(keyHeaders[0], ''), await fetchJson(keyHeaders[1], '/api/v2')]
  expect(neutral).toHaveProperty('vendor_url')
  expect(neutral).toHaveProperty('storeone_id')
  expect(original).not.toHaveProperty('vendor_url')
  expect(original.listennotes_url).toBe(neutral.vendor_url)
  expect(original.itunes_id).toBe(neutral.storeone_id)
  expect((original.episodes as object[])[0]).toHaveProperty('listennotes_edit_url')
  const episode = await fetchJson(keyHeaders[1], '/api/v2', `episodes/${original.latest_episode_id}`)
  expect(episode.podcast).toHaveProperty('listennotes_url')
  expect(await fetchJson(keyHeaders[0], '/api/v2')).toEqual(neutral)
})

test('a request without a key returns 401', async () => {
  await using app = await start()
  const { status } = await fetch(`${app.url}/podcast-directory/api/v2/podcasts/x`)
  expect(status).toBe(401)
})
