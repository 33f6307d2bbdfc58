import { expect, test } from 'vitest'
import { startStores } from '../testing/app.ts'

const hour = 3_600_000
const day = 24 * hour

test('lists and key-values can be read as of a past time', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const { clock } = world.app
  const now = () => world.app.platform.clock.now()

  const before = now()
  await clock.advance(hour)
  await store.put('/kv/color?label=old', { value: 'red' })
  const red = now()
  await clock.advance(hour)
  await store.put('/kv/color?label=old', { value: 'blue' })
  await store.put('/kv/shape', { value: 'round' })
  const blue = now()
  await clock.advance(hour)
  await store.delete('/kv/color?label=old')
  await store.put('/kv/shape', { value: 'square' })
  await clock.advance(hour)

  const at = (time: Date) => ({ 'accept-datetime': time.toISOString() })
  const values = async (time: Date) => {
    const { items } = await store.all('/kv', at(time))
    return items.map(({ key, value }: { key: string; value: string }) => `${key}=${value}`)
  }
  expect(await values(before)).toEqual([])
  expect(await values(red)).toEqual(['color=red'])
  expect(await values(blue)).toEqual(['color=blue', 'shape=round'])
  expect(await values(now())).toEqual(['shape=square'])

  expect((await store.get('/kv/color?label=old', at(before))).status).toBe(404)
  const past = await store.get('/kv/color?label=old', {
    'accept-datetime': new Date(red.getTime() + 1000).toUTCString(),
  })
  expect(past).toMatchObject({ status: 200, body: { value: 'red' } })
  expect(past.headers.get('memento-datetime')).toBe(new Date(red.getTime() + 1000).toUTCString())
  expect(past.headers.get('link')).toContain('rel="original"')
  expect((await store.get('/kv/color?label=old')).status).toBe(404)

  const names = async (path: string, time: Date) =>
    (await store.all(path, at(time))).items.map(({ name }: { name: string | null }) => name)
  expect(await names('/keys', blue)).toEqual(['color', 'shape'])
  expect(await names('/labels', blue)).toEqual([null, 'old'])
  expect(await names('/labels', red)).toEqual(['old'])
  expect((await store.all('/revisions', at(blue))).items.map(({ value }) => value)).toEqual(['round', 'blue', 'red'])
  expect((await store.all('/revisions')).items).toHaveLength(4)
})

test('the next page of a list at a past time shows that time, even if the client does not repeat it', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  for (let index = 0; index < 120; index++) await store.put(`/kv/k${index}`, { value: 'then' })
  const then = world.app.platform.clock.now()
  await world.app.clock.advance(hour)
  for (let index = 0; index < 120; index++) await store.put(`/kv/k${index}`, { value: 'now' })
  const first = await store.get('/kv', { 'accept-datetime': then.toISOString() })
  const next = await store.get(String(first.body['@nextLink']).replace('api-version=1.0&', ''))
  const values = [...first.body.items, ...next.body.items].map(({ value }) => value)
  expect(values).toEqual(Array(120).fill('then'))
})

test('times in a store are monotonic even if the clock is moved back', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const put = async (value: string) => Date.parse((await store.put('/kv/a', { value })).body.last_modified)
  const first = await put('1')
  await world.app.clock.advance(-hour)
  expect(await put('2')).toBeGreaterThanOrEqual(first)
  expect((await store.get('/kv/a', { 'accept-datetime': new Date(first).toISOString() })).body.value).toBe('2')
})

test('a Free store keeps history for a week, a Standard one for thirty days, and both keep current values', async () => {
  await using world = await startStores()
  const [free, standard] = [await world.open('free-store', { sku: 'Free' }), await world.open('large-store')]
  const stores = [free, standard]
  for (const store of stores) for (const value of ['1', '2']) await store.put('/kv/a', { value })
  const history = async () =>
    Promise.all(stores.map(async (store) => (await store.all('/revisions')).items.map(({ value }) => value)))
  const pass = async (ms: number) => {
    await world.app.clock.advance(ms)
    await world.app.jobs.drain()
  }
  await pass(6 * day)
  expect(await history()).toEqual([
    ['2', '1'],
    ['2', '1'],
  ])
  await pass(2 * day)
  expect(await history()).toEqual([['2'], ['2', '1']])
  await pass(23 * day)
  expect(await history()).toEqual([['2'], ['2']])
})
