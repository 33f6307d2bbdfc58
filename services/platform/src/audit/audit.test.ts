import type { Database } from '@icosa/kernel'
import { example, startProxy, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating } from '../index.ts'
import { auditKeyPurpose } from './audit.ts'
import { newest, rowsAfter } from './store.ts'
import { verifyAudit } from './verify.ts'

let app: TestApp
let database: Database
beforeAll(async () => {
  app = await startTestApp({ services: [example, operating] })
  database = app.platform.database
})
afterAll(() => app[Symbol.asyncDispose]())

const key = () => app.platform.cellVault.derive(auditKeyPurpose)
const keptSince = new Date(0)
const problems = async () =>
  (await verifyAudit(database, { keys: [key()], keptSince })).flatMap((chain) => chain.problems)

async function call(tenant: string, method: string, path: string, body?: object, permissions?: readonly string[]) {
  const headers = { 'x-api-key': await app.key(tenant, permissions), 'content-type': 'application/json' }
  const response = await fetch(`${app.url}/example${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  return response.status
}

const note = (tenant: string, title = 'A note') => call(tenant, 'POST', '/notes', { title, text: '' })

test('writes and refusals are recorded with caller, address, operation and status; reads are not', async () => {
  expect(await note('ada')).toBe(201)
  expect(await call('ada', 'GET', '/notes')).toBe(200)
  expect(await call('ada', 'POST', '/notes', { title: '' })).toBe(400)
  expect(await call('ada', 'GET', '/notes', undefined, ['example:createNote'])).toBe(403)
  await fetch(`${app.url}/example/notes`, { method: 'POST' }) // anonymous: could fill the log
  await expect.poll(async () => (await newest(database, 'ada', 10)).length).toBe(3)
  const [refused, invalid, created] = await newest(database, 'ada', 10)
  expect(created).toMatchObject({
    ...{
      number: 1,
      tenant: 'ada',
      service: 'example',
      operation: 'createNote',
      status: 201,
      resource: '/example/notes',
    },
    ...{ address: '127.0.0.1', caller: expect.stringMatching(/^key_/), previous: null },
  })
  expect(invalid).toMatchObject({ number: 2, status: 400, previous: created?.hash })
  expect(refused).toMatchObject({ number: 3, operation: 'listNotes', status: 403 })
  expect(await problems()).toEqual([])
})

test('concurrent requests of two tenants to two nodes give one gapless chain per tenant', async () => {
  await using second = await startTestApp({ services: [example, operating], databaseUrl: app.databaseUrl })
  const send = async (url: string, tenant: string) => {
    const headers = { 'x-api-key': await app.key(tenant), 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'A note', text: '' })
    for (let n = 0; n < 20; n++) await (await fetch(`${url}/example/notes`, { method: 'POST', headers, body })).text()
  }
  const urls = [app.url, second.url]
  await Promise.all(['bob', 'cleo'].flatMap((tenant) => urls.map((url) => send(url, tenant))))
  for (const tenant of ['bob', 'cleo']) {
    await expect.poll(async () => (await rowsAfter(database, tenant, 0, 100)).length).toBe(40)
    expect((await rowsAfter(database, tenant, 0, 100)).map(({ number }) => number)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  }
  expect(await problems()).toEqual([])
})

test('requests during a database outage are recorded once it is over', async () => {
  await using proxy = await startProxy(app.databaseUrl)
  await using node = await startTestApp({ services: [example, operating], databaseUrl: proxy.url })
  const headers = { 'x-api-key': await app.key('gwen'), 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'A note', text: '' })
  const post = async () => (await fetch(`${node.url}/example/notes`, { method: 'POST', headers, body })).status
  expect(await post()).toBe(201)
  proxy.become('refusing')
  expect(await post()).toBe(503)
  proxy.become('through')
  const statuses = async () => (await rowsAfter(database, 'gwen', 0, 10)).map(({ status }) => status)
  await expect.poll(statuses, { timeout: 15_000 }).toEqual([201, 503])
})
