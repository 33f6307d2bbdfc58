import { buffer, text } from 'node:stream/consumers'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Blobs, ownBlobs } from './blobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp(example)
})
afterAll(() => app[Symbol.asyncDispose]())

const of = (service: string, tenant: string) => ownBlobs(app.platform.blobs, service, tenant)
const put = (blobs: Blobs, key: string, content = key) => blobs.put(key, Buffer.from(content))
const keysIn = async (blobs: Blobs, prefix = '') =>
  (await blobs.list(prefix, { limit: 10 })).items.map(({ key }) => key)

test('other tenants and services find nothing, whatever the key', async () => {
  await put(of('letters', 'ada'), 'draft')
  for (const other of [of('letters', 'bob'), of('parcels', 'ada'), of('letters', 'ada').shared]) {
    await expect(other.get('draft')).rejects.toMatchObject({ kind: 'notFound' })
    expect(await other.head('draft')).toBeUndefined()
    expect(await keysIn(other)).toEqual([])
    await other.delete('draft')
    for (const key of ['../ada/draft', '../../letters/ada/draft', './../ada/draft', '/draft', ''])
      await expect(other.get(key), key).rejects.toMatchObject({ kind: 'invalid' })
    for (const prefix of ['../ada/', 'letters/ada/', '/']) expect(await keysIn(other, prefix), prefix).toEqual([])
    await put(other, 'draft', 'another')
  }
  expect(await text((await of('letters', 'ada').get('draft')).body)).toBe('draft')
})

test('names of tenants and keys never collide', async () => {
  const tenants = ['a', 'a/b', 'a%2Fb', '@shared', '%40shared', 'ä', 'a b']
  for (const tenant of tenants) await put(of('names', tenant), 'b/c', tenant)
  await put(of('names', 'a').shared, 'b/c', 'shared')
  for (const tenant of tenants) {
    expect(await text((await of('names', tenant).get('b/c')).body), tenant).toBe(tenant)
    expect(await keysIn(of('names', tenant)), tenant).toEqual(['b/c'])
  }
  expect(await text((await of('names', 'b').shared.get('b/c')).body)).toBe('shared')
})

test('replies and pages contain keys without their prefix', async () => {
  const own = of('pages', 'ada')
  const keys = ['a', 'b/1', 'b/2', 'b/3', 'c']
  for (const key of keys) expect(await put(own, key)).toMatchObject({ key })
  expect(await own.head('b/1')).toMatchObject({ key: 'b/1', size: 3 })
  expect((await own.get('b/1')).info).toMatchObject({ key: 'b/1' })
  const first = await own.list('b/', { limit: 2 })
  expect([first.items.map(({ key }) => key), first.next]).toEqual([['b/1', 'b/2'], 'b/2'])
  expect((await own.list('b/', { limit: 2, after: 'b/2' })).items).toMatchObject([{ key: 'b/3' }])
  expect(await keysIn(own)).toEqual(keys)
  const url = await own.signedUrl('b/2', { method: 'GET', expiresInSeconds: 60 })
  expect(String(await buffer((await fetch(url)).body as ReadableStream))).toBe('b/2')
  await own.delete('b/2')
  expect(await keysIn(own)).toEqual(['a', 'b/1', 'b/3', 'c'])
})

test('a handler accesses the blobs of its service and caller', async () => {
  await put(of('example', 'bob'), 'upload', 'of bob')
  await put(of('second', 'ada'), 'upload', 'of another service')
  const importAs = async (tenant: string) => {
    const headers = { 'x-api-key': await app.key(tenant), 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Found', upload: 'upload' })
    const answer = await fetch(`${app.url}/example/notes/import`, { method: 'POST', headers, body })
    return { status: answer.status, note: await answer.json() }
  }
  expect(await importAs('bob')).toMatchObject({ status: 201, note: { text: 'of bob' } })
  expect(await importAs('ada')).toMatchObject({ status: 404 })
})
