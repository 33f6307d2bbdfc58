import { expect, test } from 'vitest'
import { startStores } from '../testing/app.ts'

const day = 24 * 3_600_000
const summaries = (items: { key: string; label: string | null; value: string }[]) =>
  items.map(({ key, label, value }) => `${key}/${label ?? ''}=${value}`)

test('a snapshot has the key-values as of its request, is archived, recovered, and deleted when it expires', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  for (const key of ['app/a', 'app/b', 'else']) await store.put(`/kv/${key.replace('/', '%2F')}`, { value: 'then' })

  const body = { filters: [{ key: 'app/*' }], tags: { release: '1' }, retention_period: 7200 }
  const created = await store.put('/snapshots/release-1', body)
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'release-1', status: 'provisioning', composition_type: 'key', ...body },
  })
  const operation = new URL(String(created.headers.get('operation-location')))
  expect(operation.pathname).toBe('/configuration-stores/stores/settings/operations')
  const progress = async () => (await store.get('/operations?snapshot=release-1')).body
  expect(await progress()).toMatchObject({ status: 'Running', error: null })
  expect((await store.get('/kv?snapshot=release-1')).body.items, 'nothing before it is ready').toEqual([])
  expect((await store.send('PATCH', '/snapshots/release-1', { body: { status: 'archived' } })).status).toBe(409)
  expect((await store.put('/snapshots/release-1', body)).status, 'the name is in use').toBe(409)

  await world.app.clock.advance(1000)
  await store.put('/kv/app%2Fa', { value: 'later' })
  await store.put('/kv/app%2Fnew', { value: 'later' })
  await world.app.jobs.drain()
  expect(await progress()).toMatchObject({ status: 'Succeeded' })
  const ready = await store.get('/snapshots/release-1')
  expect(ready.body).toMatchObject({ status: 'ready', items_count: 2, size: expect.any(Number) })
  expect(ready.headers.get('link')).toBe('</kv?snapshot=release-1&api-version=1.0>; rel="items"')
  const items = async () => summaries((await store.all('/kv?snapshot=release-1')).items)
  expect(await items()).toEqual(['app/a/=then', 'app/b/=then'])

  await world.app.clock.advance(40 * day)
  await world.app.jobs.drain()
  expect(await items(), 'longer than revisions are kept').toEqual(['app/a/=then', 'app/b/=then'])

  const patch = (status: string, headers = {}) =>
    store.send('PATCH', '/snapshots/release-1', { body: { status }, headers })
  expect((await patch('archived', { 'if-match': '"other"' })).status).toBe(412)
  const archived = await patch('archived', { 'if-match': String(ready.headers.get('etag')) })
  expect(archived).toMatchObject({ status: 200, body: { status: 'archived', expires: expect.any(String) } })
  expect(await items()).toHaveLength(2)
  expect((await patch('ready')).body.expires).toBeUndefined()
  await patch('archived')
  await world.app.clock.advance(3 * 3_600_000)
  await world.app.jobs.drain()
  expect((await store.get('/snapshots/release-1')).status).toBe(404)
  expect((await store.get('/kv?snapshot=release-1')).status).toBe(404)
})

test('a later filter overrides earlier ones per key, or all are combined', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  for (const [key, label] of [
    ['a', ''],
    ['a', 'prod'],
    ['b', ''],
    ['c', 'prod'],
    ['d', 'test'],
  ])
    await store.put(`/kv/${key}?label=${label}`, { value: label || 'plain' })
  const filters = [{ key: '*' }, { key: '*', label: 'prod' }]
  await store.put('/snapshots/layered', { filters })
  await store.put('/snapshots/whole', { filters, composition_type: 'key_label' })
  await store.put('/snapshots/every', { filters: [{ key: 'a,d', label: '*' }], composition_type: 'key_label' })
  await world.app.jobs.drain()
  const items = async (name: string) => summaries((await store.all(`/kv?snapshot=${name}`)).items)
  expect(await items('layered')).toEqual(['a/prod=prod', 'b/=plain', 'c/prod=prod'])
  expect(await items('whole')).toEqual(['a/=plain', 'a/prod=prod', 'b/=plain', 'c/prod=prod'])
  expect(await items('every')).toEqual(['a/=plain', 'a/prod=prod', 'd/test=test'])

  const names = async (query: string) => (await store.all(`/snapshots?${query}`)).items.map(({ name }) => name)
  expect(await names('')).toEqual(['every', 'layered', 'whole'])
  expect(await names('name=w*,every&status=ready')).toEqual(['every', 'whole'])
  expect(await names('status=archived')).toEqual([])
})

test('refuses invalid snapshots', async () => {
  await using world = await startStores()
  const store = await world.open('settings', { sku: 'Free' })
  const invalid = [
    {},
    { filters: [] },
    { filters: Array(4).fill({ key: '*' }) },
    { filters: [{ key: '*', label: '*' }] },
    { filters: [{ key: '*', label: 'a,b' }] },
    { filters: [{ key: 'a*b' }] },
    { filters: [{ key: '*' }], retention_period: 60 },
    { filters: [{ key: '*' }], retention_period: 8 * 86_400 },
    { filters: [{ key: '*' }], composition_type: 'other' },
  ]
  for (const body of invalid) expect((await store.put('/snapshots/s', body)).status, JSON.stringify(body)).toBe(400)
  expect((await store.put(`/snapshots/${'x'.repeat(257)}`, { filters: [{ key: '*' }] })).status).toBe(400)
  expect((await store.get('/snapshots/s')).status).toBe(404)
  expect((await store.get('/kv?snapshot=s&key=a')).status).toBe(400)
})
