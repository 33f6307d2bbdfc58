import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { registry } from '../contract.ts'
import { platform } from '../index.ts'
import { keyHeader } from '../names.ts'

test('resources are found by a part of the name, by tag and by type, in pages', async () => {
  await using app = await startTestApp(platform)
  const { searchResources } = app.client(registry, { headers: { [keyHeader]: await app.key('ada') } })
  const put = (tenant: string, name: string, tags: Record<string, string> = {}) =>
    app.platform.transaction('example', tenant, (_db, _jobs, resources) =>
      resources.put({ id: `/things/${tenant}/${name}`, type: 'example/things', name, tags }),
    )
  for (let i = 0; i < 51; i++) await put('ada', `thing-${i}`, i === 7 ? { app: 'shop' } : {})
  await put('bob', 'thing-7', { app: 'shop' })
  const names = async (query: Record<string, string>) =>
    (await searchResources({ query })).body.resources.map(({ name }) => name)

  expect(await names({ q: 'THING-5' })).toEqual(['thing-5', 'thing-50'])
  expect(await names({ tag: 'app' })).toEqual(['thing-7'])
  expect(await names({ tag: 'app=shop', type: 'example/things' })).toEqual(['thing-7'])
  expect(await names({ tag: 'app=else' })).toEqual([])
  const first = (await searchResources({})).body
  expect(first.resources).toHaveLength(50)
  expect(await names({ pageToken: first.nextPageToken ?? '' })).toHaveLength(1)
})
