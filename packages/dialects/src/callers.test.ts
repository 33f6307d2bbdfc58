import { type Caller, type Credentials, type DialectServer, Failure, type Incoming, sql } from '@icosa/kernel'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { basicCaller, challenge } from './basic/server.ts'
import { bearerCaller } from './bearer.ts'
import { keyedServer } from './keyed/server.ts'

const ada: Caller = { id: 'key_1', tenant: 'ada', allows: () => true }
const byToken: Caller = { id: 'person_ada', tenant: 'ada', allows: () => true }

/** One key and one token, from the cache or the database. */
const credentials = (isCached: boolean): Credentials => {
  const lookup = (caller: Caller | undefined) => (isCached ? caller : Promise.resolve(caller))
  return {
    byKey: (key) => {
      expect(key).toBeTypeOf('string')
      return lookup(['icosa_a:b', 'icosa_key', 'ada?'].includes(key) ? ada : undefined)
    },
    byToken: (token) => lookup(token === 'a.b.c' ? byToken : undefined),
    bySigningId: () => undefined,
  }
}
const withHeader = (authorization?: string | string[]) => ({ headers: { authorization } }) as Pick<Incoming, 'headers'>

test.each([
  ['Bearer a.b.c', byToken],
  ['bearer icosa_key', ada],
  ['BEARER icosa_key', ada],
  ['Bearer  icosa_key', undefined],
  ['Bearer icosa_key ', undefined],
  ['xBearer icosa_key', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Basic icosa_key', undefined],
  ['icosa_key', undefined],
  [undefined, undefined],
])('%j authenticates by token or key', async (authorization, caller) => {
  for (const isCached of [true, false])
    expect(await bearerCaller(withHeader(authorization), credentials(isCached))).toBe(caller)
  expect(bearerCaller(withHeader(authorization), credentials(true)), 'from memory without a promise').toBe(caller)
})

const basic = (text: string) => Buffer.from(text).toString('base64')

test.each([
  [`Basic ${basic('ada:icosa_key')}`, ada],
  [`basic ${basic('key_1:icosa_key')}`, ada],
  [`Basic ${basic('ada:icosa_a:b')}`, ada],
  [`Basic ${basic('bob:icosa_key')}`, undefined],
  [`Basic ${basic(':icosa_key')}`, undefined],
  [`Basic ${basic('ada:another')}`, undefined],
  [`Basic ${basic('undefined:another')}`, undefined],
  [`Basic ${basic('icosa_key')}`, undefined],
  [`Basic ${basic('ada?')}`, undefined],
  [`xBasic ${basic('ada:icosa_key')}`, undefined],
  [`Bearer ${basic('ada:icosa_key')}`, undefined],
  [`Basic${basic('ada:icosa_key')}`, undefined],
  [undefined, undefined],
  [[`Basic ${basic('ada:icosa_key')}`], undefined],
])('%j authenticates by tenant or key id, and key', async (authorization, caller) => {
  for (const isCached of [true, false])
    expect(await basicCaller(withHeader(authorization), credentials(isCached))).toBe(caller)
  expect(basicCaller(withHeader(authorization), credentials(true)), 'from memory without a promise').toBe(caller)
})

test('challenges browsers for name and key', () => {
  expect(challenge('Here')).toEqual({ 'www-authenticate': 'Basic realm="Here", charset="UTF-8"' })
})

const keyed = keyedServer({ name: 'shop', headers: ['X-Api-Key', 'Vendor-Key'], parameter: 'key', root: '/shop/v1.0' })
const incoming = (headers: Incoming['headers'], target = '/shop/things') =>
  ({ headers, target, url: new URL(target, 'https://icosa.test') }) as Incoming

test.each<[Incoming['headers'], string | undefined, Caller | undefined]>([
  [{ 'x-api-key': 'icosa_key' }, undefined, ada],
  [{ 'vendor-key': 'icosa_key' }, undefined, ada],
  [{ 'x-api-key': 'wrong', 'vendor-key': 'icosa_key' }, undefined, undefined],
  [{ 'x-api-key': 'wrong' }, '/shop/things?key=icosa_key', undefined],
  [{ 'x-api-key': ['icosa_key'] }, undefined, undefined],
  [{}, '/shop/things?key=icosa_key', ada],
  [{}, '/shop/things?key=wrong', undefined],
  [{}, '/shop/things?other=icosa_key', undefined],
  [{ authorization: 'icosa_key' }, undefined, undefined],
  [{}, undefined, undefined],
])('a key in %j of %s', (headers, target, caller) => {
  expect(keyed.authenticate(incoming(headers, target), credentials(true), undefined as never)).toBe(caller)
})

test('a key in the query counts only if the service declares the parameter', () => {
  const strict = keyedServer({ name: 'shop', headers: ['X-Api-Key'] })
  const request = incoming({}, '/shop/things?key=icosa_key&undefined=icosa_key')
  expect(strict.authenticate(request, credentials(true), undefined as never)).toBeUndefined()
})

const reply = (server: DialectServer, reply: object, target?: string) =>
  server.reply(reply as never, {} as never, incoming({}, target), undefined)

test('Operation-Location keeps the prefix of the request', () => {
  const headersFor = (target: string, headers: object = {}) =>
    reply(keyed, { status: 202, body: 1, headers, operation: { id: 'a b' } }, target).headers
  const polling = { 'retry-after': '1' }
  const at = (path: string) => ({ 'operation-location': `https://icosa.test${path}/operations/a%20b`, ...polling })
  expect(headersFor('/shop/things')).toEqual(at('/shop'))
  expect(headersFor('/icosa/shop/things')).toEqual(at('/icosa/shop'))
  expect(headersFor('/shop/v1.0/things')).toEqual(at('/shop/v1.0'))
  expect(headersFor('/shop/things', { 'retry-after': '9' })).toEqual({ ...at('/shop'), 'retry-after': '9' })
  const plain = { status: 200, body: 1, headers: polling }
  expect(reply(keyed, plain)).toEqual(plain)
  const spelled = keyedServer({ name: 'shop', headers: ['X-Api-Key'], respell: (body) => ({ spelled: body }) })
  expect(reply(spelled, { status: 202, operation: { id: '1' } }, '/undefined/shop/x').headers).toMatchObject({
    'operation-location': 'https://icosa.test/undefined/shop/operations/1',
  })
  expect(reply(spelled, { status: 200, body: 1 }).body).toEqual({ spelled: 1 })
})

test('locates requests that SDKs send to the root of a host', () => {
  expect(keyed.locate?.(incoming({}, '/shop/v1.0/things?a=1'))).toBe('/things?a=1')
  expect(keyed.locate?.(incoming({}, '/shop/v1.0x/things'))).toBeUndefined()
  expect(keyed.spellings).toEqual({ '/': ['/shop/v1.0/'] })
  const plain = keyedServer({ name: 'shop', headers: ['X-Api-Key'] })
  expect(plain.locate).toBeUndefined()
  expect(plain.spellings).toBeUndefined()
  expect(plain.authentication).toEqual({ kind: 'key', header: 'X-Api-Key' })
})

test('a failure has its code or status, and a line per detail', () => {
  const details = [
    { at: 'body/a', message: 'is missing' },
    { at: 'body/b', message: 'is too long' },
  ]
  const failed = (failure: Failure, server = keyed) => server.failure(failure, incoming({}))
  expect(failed(new Failure('conflict', 'In use.'))).toEqual({
    status: 409,
    body: { error: { code: 409, message: 'In use.' } },
  })
  expect(failed(new Failure('invalid', 'Wrong.', { code: 'Why', details }))).toEqual({
    status: 400,
    body: { error: { code: 'Why', message: 'Wrong.', details: ['body/a is missing', 'body/b is too long'] } },
  })
  const own = keyedServer({ name: 'shop', headers: ['X-Api-Key'], failure: ({ kind }, status) => [kind, status] })
  expect(failed(new Failure('notFound', 'Gone.'), own)).toEqual({ status: 404, body: ['notFound', 404] })
})

test('an operation shows progress, result or error, to its tenant only', async () => {
  await using app = await startTestApp(example)
  const { database } = app.platform
  const [createdAt, updatedAt] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:01Z')]
  const get = async (id: string, tenant = 'ada') => {
    const response = await fetch(`${app.url}/example/operations/${id}`, {
      headers: { 'x-api-key': await app.key(tenant) },
    })
    return [response.status, response.headers.get('retry-after'), await response.json()]
  }
  const insert = async (status: string, more: { progress?: number; resource?: string; error?: object } = {}) => {
    const { progress = null, resource = null, error = null } = more
    await database.run(sql`
      insert into icosa.operations (tenant, id, service, kind, status, progress, resource, error, created_at, updated_at)
      values ('ada', ${status}, 'example', 'x', ${status}, ${progress}, ${resource}, ${error && JSON.stringify(error)},
        ${createdAt}, ${updatedAt})`)
    return get(status)
  }
  const times = { createdTime: createdAt.toISOString(), lastActionTime: updatedAt.toISOString() }
  expect(await insert('pending')).toEqual([200, '1', { status: 'notstarted', ...times }])
  expect(await insert('running', { progress: 0.5 })).toEqual([
    200,
    '1',
    { status: 'running', ...times, percentComplete: 50 },
  ])
  expect(await insert('succeeded', { progress: 1, resource: '/notes/1' })).toEqual([
    200,
    null,
    { status: 'succeeded', ...times, percentComplete: 100, resourceLocation: '/notes/1' },
  ])
  expect(await insert('failed', { error: { kind: 'conflict', message: 'In use.' } })).toEqual([
    200,
    null,
    { status: 'failed', ...times, message: 'In use.' },
  ])
  expect(await insert('cancelled')).toEqual([200, null, { status: 'failed', ...times, message: 'Cancelled.' }])
  expect(await get('missing')).toMatchObject([
    404,
    null,
    { error: { message: "The operation 'missing' was not found." } },
  ])
  expect(await get('pending', 'bob')).toMatchObject([404, null, {}])
})
