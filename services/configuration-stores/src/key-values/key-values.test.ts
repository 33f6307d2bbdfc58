import { expect, test } from 'vitest'
import { neutralSpelling, originalSpelling } from '../names.ts'
import { startStores, versioned } from '../testing/app.ts'
import { storeClient } from '../testing/store-client.ts'

test('a key-value is written, read, changed conditionally, read by managers and deleted', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const path = '/kv/App%2FSize%3A%C3%A4?label=Prod'
  const body = { value: 'ä', content_type: 'text/plain', tags: { team: 'web' } }
  const first = await store.put(path, body)
  expect(first).toMatchObject({
    status: 200,
    body: { key: 'App/Size:ä', label: 'Prod', ...body, locked: false, etag: expect.stringMatching(/^[0-9a-f]{32}$/) },
  })
  expect(first.headers.get('etag')).toBe(`"${first.body.etag}"`)
  expect(first.headers.get('sync-token')).toMatch(/^[^=]+=[^;]+;sn=\d+$/)
  expect((await store.get(path)).body).toEqual(first.body)
  const head = await store.send('HEAD', path)
  expect(head).toMatchObject({ status: 200, body: undefined })
  expect(head.headers.get('etag')).toBe(first.headers.get('etag'))
  expect((await store.get('/kv/App%2FSize%3A%C3%A4')).status, 'without a label it is a different key-value').toBe(404)
  expect((await store.get('/kv/app%2Fsize%3A%C3%A4?label=Prod')).status, 'keys are case-sensitive').toBe(404)

  const etag = String(first.headers.get('etag'))
  expect((await store.get(path, { 'if-none-match': etag })).status).toBe(304)
  expect((await store.get(path, { 'if-match': '"other"' })).status).toBe(412)
  expect((await store.put(path, body, { 'if-none-match': '*' })).status).toBe(412)
  const second = await store.put(path, { value: 'b' }, { 'if-match': etag })
  expect(second).toMatchObject({ status: 200, body: { value: 'b', content_type: null, tags: {} } })
  expect((await store.put(path, body, { 'if-match': etag })).status).toBe(412)
  expect((await store.put('/kv/new', body, { 'if-match': '*' })).status).toBe(412)
  expect((await store.get(path, { 'if-none-match': etag })).status).toBe(200)

  const { params, manager } = store
  const managed = await manager.stores.listKeyValue({
    ...versioned,
    params,
    body: { key: 'App/Size:ä', label: 'Prod' },
  })
  expect(managed.body).toEqual({
    key: 'App/Size:ä',
    label: 'Prod',
    value: 'b',
    eTag: second.body.etag,
    lastModified: second.body.last_modified,
    locked: false,
    tags: {},
  })
  await expect(
    manager.stores.listKeyValue({ ...versioned, params, body: { key: 'App/Size:ä' } }),
  ).rejects.toMatchObject({ status: 404, body: { error: { code: 'KeyValueNotFound' } } })

  expect((await store.delete(path, { 'if-match': etag })).status).toBe(412)
  expect(await store.delete(path)).toMatchObject({ status: 200, body: { value: 'b' } })
  expect((await store.delete(path)).status).toBe(204)
  expect((await store.get(path)).status).toBe(404)
})

test('a locked key-value cannot be changed', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  expect((await store.put('/locks/color')).status).toBe(404)
  await store.put('/kv/color', { value: 'red' })
  const locked = await store.put('/locks/color')
  expect(locked).toMatchObject({ status: 200, body: { value: 'red', locked: true } })
  for (const attempt of [store.put('/kv/color', { value: 'blue' }), store.delete('/kv/color')])
    expect(await attempt).toMatchObject({
      status: 409,
      body: { type: `${originalSpelling.errors}key-locked`, status: 409 },
    })
  expect((await store.put('/locks/color')).body.etag, 'a second lock changes nothing').toBe(locked.body.etag)
  expect((await store.delete('/locks/color', { 'if-match': '"other"' })).status).toBe(412)
  expect((await store.delete('/locks/color')).body).toMatchObject({ locked: false })
  expect((await store.put('/kv/color', { value: 'blue' })).status).toBe(200)
})

test('of twenty writers with the same condition one succeeds, and no change is lost', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const twenty = Array.from({ length: 20 })
  const created = await Promise.all(twenty.map(() => store.put('/kv/count', { value: '0' }, { 'if-none-match': '*' })))
  expect(created.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)])

  const etag = String((await store.get('/kv/count')).headers.get('etag'))
  const updated = await Promise.all(twenty.map(() => store.put('/kv/count', { value: '0' }, { 'if-match': etag })))
  expect(updated.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)])

  await Promise.all(
    twenty.map(async () => {
      for (let done = false; !done; ) {
        const now = await store.get('/kv/count')
        const next = { value: String(Number(now.body.value) + 1) }
        done = (await store.put('/kv/count', next, { 'if-match': String(now.headers.get('etag')) })).status === 200
      }
    }),
  )
  expect((await store.get('/kv/count')).body.value).toBe('20')
  expect((await store.all('/revisions?key=count')).items).toHaveLength(22)
})

test('concurrent reads each get their own key-value, with all earlier writes', async () => {
  await using world = await startStores()
  const [store, other] = [await world.open('settings'), await world.open('others', { tenant: 'other' })]
  const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`)
  for (const key of keys) await store.put(`/kv/${key}?label=x`, { value: key })
  await other.put('/kv/key-0?label=x', { value: 'not theirs' })

  const replies = await Promise.all([...keys, ...keys].map((key) => store.get(`/kv/${key}?label=x`)))
  expect(replies.map(({ body }) => body.value)).toEqual([...keys, ...keys])
  const mixed = await Promise.all(
    [store, other, store].flatMap((client) => keys.map((key) => client.get(`/kv/${key}`))),
  )
  expect(new Set(mixed.map(({ status }) => status)), 'all of them have a label').toEqual(new Set([404]))
  expect((await other.get('/kv/key-0?label=x')).body.value).toBe('not theirs')

  let done = false
  const readers = Array.from({ length: 20 }, async () => {
    while (!done) await store.get('/kv/key-0?label=x')
  })
  for (let count = 0; count < 30; count++) {
    await store.put('/kv/key-0?label=x', { value: String(count) })
    expect((await store.get('/kv/key-0?label=x')).body.value).toBe(String(count))
  }
  done = true
  await Promise.all(readers)
})

test('refuses invalid key-values with a reason', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  const refused = [
    store.put('/kv/a%25b', { value: 'x' }),
    store.put('/kv/a%00b', { value: 'x' }),
    store.put('/kv/a?label=b%00c', { value: 'x' }),
    store.put('/kv/a', { value: 'x\0' }),
    store.put('/kv/a', { value: '\ud800' }),
    store.put('/kv/a', { tags: { 'a\0': 'b' } }),
    store.put('/kv/a', { value: 5 }),
    store.put('/kv/a', { value: 'x', description: 'y' }),
    store.put('/kv/a', ['value']),
    store.send('PUT', '/kv/a', { body: {}, headers: { 'content-type': 'text/plain' } }),
    store.get('/kv/a?label=a&label=b'),
    store.get('/kv?$select=secret'),
    store.get('/kv?after=nonsense'),
    store.get('/kv', { 'accept-datetime': 'yesterday' }),
    store.get('/kv?api-version=2.0'),
    storeClient(world.endpointOf('settings'), (await store.keys())[0] as never, '3.0').get('/kv'),
  ]
  for (const attempt of refused) {
    const { status, headers, body } = await attempt
    expect(body).toMatchObject({ type: `${originalSpelling.errors}invalid-argument`, status: 400 })
    expect(status).toBe(400)
    expect(headers.get('content-type')).toContain('application/problem+json')
  }
  expect((await store.put('/kv/a', { value: 'x'.repeat(10_300) })).status).toBe(413)
  expect((await store.put('/kv/a', { value: 'x'.repeat(10_000) })).status).toBe(200)
})

test('responses use the spelling that the caller asks for', async () => {
  await using world = await startStores()
  const store = await world.open('settings')
  await store.put('/kv/a', { value: 'x' })
  const typeOf = async (accept: string, path = '/kv/a') =>
    (await store.get(path, { accept })).headers.get('content-type')
  expect(await typeOf('*/*')).toBe(`${originalSpelling.media}kv+json; charset=utf-8`)
  expect(await typeOf(`${originalSpelling.media}kvset+json`, '/kv')).toBe(
    `${originalSpelling.media}kvset+json; charset=utf-8`,
  )
  expect(await typeOf(`${neutralSpelling.media}kv+json`)).toBe(`${neutralSpelling.media}kv+json; charset=utf-8`)
  const missing = await store.get('/kv/b', { accept: `${neutralSpelling.media}kv+json` })
  expect(missing.body).toMatchObject({ type: `${neutralSpelling.errors}not-found`, status: 404 })
})
