import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'

test('unreferenced blobs are deleted after a day, both of tenants and shared ones', async () => {
  await using app = await startTestApp(example)
  const { platform } = app
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const created = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body: '{"title":"t","text":""}' })
  const { id } = (await created.json()) as { id: string }
  const attachment = { method: 'PUT', headers: { ...headers, 'content-type': 'text/plain' }, body: 'kept' }
  expect((await fetch(`${app.url}/example/notes/${id}/attachment`, attachment)).status).toBe(204)
  const ada = platform.blobsOf('example', 'ada')
  const put = async (blobs: typeof ada | typeof ada.shared, key: string) => blobs.put(key, Buffer.from('left'))
  await put(ada, 'attachments/left')
  await put(ada.shared, 'attachments/left')
  await put(platform.blobsOf('example', 'gone/é'), `attachments/${id}`)
  await put(platform.blobsOf('another', 'ada'), 'attachments/left')
  const keys = async () => (await platform.blobs.list('', { limit: 100 })).items.map(({ key }) => key)
  const before = await keys()
  expect(before).toHaveLength(5)
  await app.clock.advance(23 * 3_600_000)
  await app.jobs.drain()
  expect(await keys()).toEqual(before)
  await put(ada, 'attachments/recent')
  await app.clock.advance(25 * 3_600_000)
  await put(ada, 'attachments/recent')
  await app.jobs.drain()
  expect(await keys()).toEqual([
    'another/ada/attachments/left',
    `example/ada/attachments/${id}`,
    'example/ada/attachments/recent',
  ])
})
