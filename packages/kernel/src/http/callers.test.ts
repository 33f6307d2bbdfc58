import { type Dialect, operationsOf, Type } from '@icosa/contract'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { AnonymousCaller, type Caller } from '../context.ts'
import { sql } from '../db/db.ts'
import type { DialectServer } from '../dialect.ts'
import { implement, ok } from '../implement.ts'
import type { Platform } from '../platform.ts'
import type { Service } from '../service.ts'

const error = Type.Object({ wrong: Type.String() })
const plain: Dialect = { name: 'plain', security: {}, operationNames: 'unique', caseSensitive: true, error }
const replies = { 200: Type.Object({ as: Type.String() }) }
const contract = {
  who: operationsOf(plain).get('/who', { summary: '', replies }),
  tenant: operationsOf(plain).get('/tenant', { summary: '', replies }),
  open: operationsOf(plain).get('/open', { summary: '', open: true, replies }),
  shared: operationsOf(plain).get('/shared', { summary: '', open: true, replies }),
}

/** A service that authenticates as the test demands. */
function serviceOf(authenticate: DialectServer['authenticate'], more: Partial<DialectServer> = {}): Service {
  const dialect: DialectServer = {
    authentication: { kind: 'none' },
    authenticate,
    reply: ({ status, body }) => ({ status, body }),
    failure: ({ kind, message }) => ({
      status: { internal: 500, rateLimited: 429 }[kind as string] ?? 400,
      body: { wrong: message },
    }),
    ...more,
  }
  const handlers = implement(contract, {
    who: async (_, { caller }) => ok({ as: caller.id }),
    tenant: async (_, { caller }) => ok({ as: caller.tenant }),
    open: async (_, { caller }) => ok({ as: caller.id }),
    shared: async (_, { blobs }) => ok({ as: (await blobs.shared.head('picture')) ? 'some' : 'none' }),
  })
  return { name: 'callers', title: 'Callers', moves: 'withRows', apis: [{ dialect, resources: { callers: handlers } }] }
}

const ada: Caller = { id: 'ada', tenant: 'ada', allows: () => true }

class Guest extends AnonymousCaller {
  override readonly id = 'guest'
  override readonly allows = () => true
}

test('a caller with an empty tenant is a bug, and fails the request', async () => {
  await using app = await startTestApp(serviceOf(() => ({ ...ada, tenant: '' })))
  expect((await fetch(`${app.url}/callers/who`)).status).toBe(500)
})

test('an anonymous caller uses the fair share of its address, and has no tenant', async () => {
  await using app = await startTestApp(serviceOf(({ ip }) => new Guest(ip)))
  const { database } = app.platform
  const fairnessKeys: string[] = []
  const of = database.of
  Object.assign(database, { of: (fairnessKey: string) => fairnessKeys.push(fairnessKey) && of(fairnessKey) })
  expect(await (await fetch(`${app.url}/callers/who`)).json()).toEqual({ as: 'guest' })
  expect(await (await fetch(`${app.url}/callers/open`)).json()).toEqual({ as: 'anonymous' })
  expect(fairnessKeys).toEqual(['address 127.0.0.1', 'address 127.0.0.1'])
  expect((await fetch(`${app.url}/callers/tenant`)).status).toBe(500)
  expect(await (await fetch(`${app.url}/callers/shared`)).json(), 'shared blobs').toEqual({ as: 'none' })
})

test('anonymous requests count against the rate limit of their address', async () => {
  const service = serviceOf(({ ip, headers }) => (headers.key ? ada : new Guest(ip)))
  await using app = await startTestApp({ services: [service], rateLimit: { perSecond: 0.001, burst: 2 } })
  const statusOf = async (path: string, key?: string) =>
    (await fetch(`${app.url}/callers/${path}`, key ? { headers: { key } } : {})).status
  expect([await statusOf('who'), await statusOf('open')]).toEqual([200, 200])
  expect([await statusOf('who'), await statusOf('open')]).toEqual([429, 429])
  expect(await statusOf('who', 'ada'), 'a tenant has its own rate limit').toBe(200)
})

test('outside handlers and jobs a service uses its own share of connections, and is not internal', async () => {
  let own: Platform | undefined
  const start = (platform: Platform) => {
    own = platform
  }
  const services = [{ ...serviceOf(() => ada), start }]
  await using app = await startTestApp({ services, maxConnections: 4 })
  const queries = Array.from({ length: 4 }, () => own?.database.run(sql`select pg_sleep(0.5)`))
  await expect.poll(() => app.platform.database.load().waiting).toBe(1)
  await Promise.all(queries)
})

test('a dialect that throws in its cache lookup fails the request, not the process', async () => {
  const cachedResponse = () => {
    throw new Error('the cache is broken')
  }
  await using app = await startTestApp(serviceOf(async () => ada, { cachedResponse }))
  expect((await fetch(`${app.url}/callers/who`)).status).toBe(500)
})
