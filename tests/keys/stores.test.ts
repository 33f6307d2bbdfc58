import { elapse } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, plain, versioned } from '../../services/configuration-stores/src/testing/app.ts'
import { type Both, encryptionOf, isInClear, keySeconds, rowsOf, setKey, startBoth } from './support.ts'

let world: Both
beforeAll(async () => {
  world = await startBoth()
})
afterAll(() => world[Symbol.asyncDispose]())

const secret = 'the value that nobody is to see'
/** Waits longer than a node caches a key. */
const forgotten = () => elapse(keySeconds * 1_000 + 1_100)

test('an encrypted store answers like any other, and stores no plaintext', async () => {
  const module = await world.openModule('usual')
  const plainStore = await world.open('usual-plain')
  const key = await module.make('one')
  const store = await world.open('usual-encrypted', {
    properties: { encryption: { keyVaultProperties: { keyIdentifier: key } } },
  })
  expect(await encryptionOf(store)).toEqual({ state: 'Succeeded', keyIdentifier: key })

  const session = async (one: typeof store) => {
    const answers = []
    const long = 'x'.repeat(10_000)
    answers.push(await one.put('/kv/color', { value: secret, content_type: 'text/secret', tags: { b: '1', a: null } }))
    const etag = answers[0]?.headers.get('etag') ?? ''
    answers.push(await one.get('/kv/color'))
    answers.push(await one.get('/kv/color', { 'if-none-match': etag }))
    answers.push(await one.put('/kv/color', { value: 'other' }, { 'if-match': '"no"' }))
    answers.push(await one.put('/kv/color', { value: `${secret} 2` }, { 'if-match': etag }))
    answers.push(await one.put('/kv/empty', { value: '' }))
    answers.push(await one.put('/kv/nothing', { value: null, content_type: '' }))
    answers.push(await one.put('/kv/long?label=l', { value: long }))
    answers.push(await one.put('/kv/too-long', { value: `${long}${long}` }))
    answers.push(await one.put('/kv/snow', { value: '雪 ☃ 𝄞', content_type: 'ü' }))
    for (const path of ['color', 'empty', 'nothing', 'long?label=l', 'snow']) answers.push(await one.get(`/kv/${path}`))
    answers.push(await one.send('PUT', '/locks/color'))
    answers.push(await one.put('/kv/color', { value: 'refused' }))
    answers.push(await one.send('DELETE', '/locks/color'))
    answers.push(await one.put('/snapshots/first', { filters: [{ key: '*' }] }))
    await world.app.jobs.drain()
    answers.push(await one.get('/snapshots/first'))
    answers.push(await one.delete('/kv/empty'))
    answers.push(await one.get('/kv/empty'))
    for (const path of [
      '/kv',
      '/kv?key=co*',
      '/kv?label=l',
      '/kv?tags=b%3D1',
      '/kv?snapshot=first',
      '/kv?$select=key,value',
    ])
      answers.push(await one.get(path))
    for (const path of ['/revisions', '/revisions?key=color', '/keys', '/labels']) answers.push(await one.get(path))
    return answers.map(({ status, body }) => ({ status, body: comparable(body) }))
  }
  const expected = await session(plainStore)
  expect(await session(store)).toEqual(expected)
  expect(expected.map(({ status }) => status)).toContain(412)
  const rows = await rowsOf(world)
  expect(rows.revisions[1]).toBe(rows.revisions[0])
  expect(rows.items).toEqual([4, 4])

  const shown = await store.manager.stores.listKeyValue({ ...versioned, params: store.params, body: { key: 'color' } })
  expect(shown.body.value).toBe(`${secret} 2`)
})

/** Masks the fields that differ between any two stores. */
function comparable(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body ?? null, (name, value) =>
      ['etag', 'last_modified', 'created', 'expires'].includes(name) ? typeof value : value,
    ),
  )
}

test('setting a key encrypts existing values, history and snapshots; removing it decrypts them', async () => {
  const module = await world.openModule('later')
  const [first, second] = [
    await module.make('first'),
    await module.make('second', { type: 'RSA', operations: ['encrypt', 'decrypt'] }),
  ]
  const store = await world.open('later-store')
  const mark = 'marked-in-clear'
  const before = await rowsOf(world)
  for (const n of Array.from({ length: 450 }, (_, index) => index))
    await store.put(`/kv/k${n}`, { value: n === 7 ? null : `${mark} ${n}`, content_type: n === 8 ? null : mark })
  await store.put('/kv/k1', { value: `${mark} again` })
  await store.delete('/kv/k2')
  await store.put('/snapshots/s', { filters: [{ key: 'k1*' }] })
  await world.app.jobs.drain()
  const all = async () => ({
    now: (await store.all('/kv')).items,
    past: (await store.all('/revisions')).items,
    copied: (await store.all('/kv?snapshot=s')).items,
  })
  const asItWas = await all()
  expect(asItWas.past).toHaveLength(451)
  expect(await isInClear(world, mark)).toBe(true)

  const { status, body } = await setKey(world, store, first)
  expect([status, body.properties?.provisioningState]).toEqual([201, 'Updating'])
  expect(await encryptionOf(store)).toEqual({ state: 'Succeeded', keyIdentifier: first })
  expect(await all()).toEqual(asItWas)
  expect(await isInClear(world, mark)).toBe(false)

  const contents = () => rowsOf(world)
  const encrypted = await contents()
  await setKey(world, store, second)
  forgotten()
  expect(await encryptionOf(store)).toEqual({ state: 'Succeeded', keyIdentifier: second })
  expect(await contents()).toEqual(encrypted)
  expect(await all()).toEqual(asItWas)
  await module.remove('first')
  forgotten()
  expect(await all(), 'the first key is no longer needed').toEqual(asItWas)

  await setKey(world, store, null)
  expect(await encryptionOf(store)).toEqual({ state: 'Succeeded' })
  expect(await isInClear(world, mark)).toBe(true)
  expect((await rowsOf(world)).revisions[1]).toBe(before.revisions[1])
  await module.remove('second')
  forgotten()
  expect(await all()).toEqual(asItWas)
})

test('revoking a key stops all access within the cache time; restoring it restores access', async () => {
  const module = await world.openModule('taken')
  const key = await module.make('one')
  const store = await world.open('taken-store', {
    properties: { encryption: { keyVaultProperties: { keyIdentifier: key } } },
  })
  await store.put('/kv/color', { value: secret })
  const own = 'configuration-stores:taken-store'
  await module.setAccess('one', [{ caller: own, operations: ['encrypt', 'decrypt'] }])
  forgotten()
  expect((await store.get('/kv/color')).body.value).toBe(secret)

  await module.setAccess('one', [])
  forgotten()
  for (const asked of [
    store.get('/kv/color'),
    store.get('/keys'),
    store.put('/kv/new', { value: 'x' }),
    store.get('/revisions'),
  ])
    expect(await asked).toMatchObject({
      status: 403,
      body: { type: 'https://azconfig.io/errors/key-inaccessible', status: 403, detail: expect.stringContaining(key) },
    })
  const read = { ...versioned, params: store.params, body: { key: 'color' } }
  await expect(store.manager.stores.listKeyValue(read)).rejects.toMatchObject({
    status: 403,
    body: { error: { code: 'KeyInaccessible', message: expect.stringContaining('give the store access to it again') } },
  })
  expect(await module.uses()).toContainEqual(
    expect.objectContaining({ caller: own, operation: 'decrypt', outcome: 'refused', key: 'one' }),
  )

  await module.setAccess('one', [{ caller: '*', operations: ['encrypt', 'decrypt'] }])
  forgotten()
  expect((await store.get('/kv/color')).body.value).toBe(secret)

  await module.remove('one')
  forgotten()
  expect((await store.get('/kv/color')).status).toBe(403)
  await module.make('one')
  forgotten()
  expect((await store.get('/kv/color')).status, 'another key of the same name decrypts nothing').toBe(403)
})

test('an unsuitable key is refused with a message that states what to do', async () => {
  const module = await world.openModule('refusing')
  const foreign = await (await world.openModule('foreign', 'other')).make('theirs')
  const store = await world.open('refusing-store')
  const good = await module.make('good')
  const cases = [
    [foreign, 'was not found: name a key of a module of your own'],
    [good.replace(/good$/, 'none'), "has no key 'none': create it with PUT"],
    [good.replace(module.moduleId, '00000000-0000-4000-8000-000000000000'), 'was not found'],
    ['https://my.vault.example/keys/one', 'use `<endpoint of a module>/keys/<name of a key>`'],
    [await module.make('curve', { type: 'EC', curve: 'P-256' }), 'cannot encrypt'],
    [await module.make('signs', { type: 'RSA' }), 'cannot encrypt'],
    [
      await module.make('wraps', { type: 'AES', operations: ['wrap', 'unwrap'] }),
      'cannot encrypt: its operations are wrap, unwrap',
    ],
    [await module.make('half', { type: 'AES', operations: ['encrypt'] }), 'with the operations encrypt and decrypt'],
    [
      await module.make('mine', { type: 'AES', access: [{ caller: 'somebody', operations: ['encrypt', 'decrypt'] }] }),
      'does not allow configuration-stores:refusing-store to encrypt',
    ],
  ] as const
  for (const [keyIdentifier, message] of cases) {
    const refusal = { status: 400, body: { error: { message: expect.stringContaining(message) } } }
    await expect(setKey(world, store, keyIdentifier), keyIdentifier).rejects.toMatchObject(refusal)
    const properties = { encryption: { keyVaultProperties: { keyIdentifier } } }
    const created = store.manager.stores.create({
      ...versioned,
      params: addressOf('acme', 'refusing-store'),
      body: { ...plain(), properties },
    })
    await expect(created).rejects.toMatchObject(refusal)
  }
  expect(await encryptionOf(store)).toEqual({ state: 'Succeeded' })
})

test('a soft-deleted store keeps its values encrypted, and is recovered with them', async () => {
  const module = await world.openModule('kept')
  const key = await module.make('one')
  const store = await world.open('kept-store', {
    properties: { softDeleteRetentionInDays: 1, encryption: { keyVaultProperties: { keyIdentifier: key } } },
  })
  const { manager, params } = store
  await store.put('/kv/color', { value: 'kept-in-secret' })
  await manager.stores.delete({ ...versioned, params })
  await world.app.jobs.drain()
  expect(await isInClear(world, 'kept-in-secret')).toBe(false)
  await manager.stores.create({ ...versioned, params, body: { ...plain(), properties: { createMode: 'Recover' } } })
  await world.app.jobs.drain()
  expect(await encryptionOf(store)).toEqual({ state: 'Succeeded', keyIdentifier: key })
  expect((await store.get('/kv/color')).body.value).toBe('kept-in-secret')
})
