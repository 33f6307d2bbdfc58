import { request } from 'node:http'
import { type Dialect, operationsOf, Type } from '@icosa/contract'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { DialectServer } from '../../dialect.ts'
import { Failure } from '../../errors.ts'
import { implement, notModified, ok } from '../../implement.ts'
import { operationsOfService } from '../../operations.ts'
import type { Service } from '../../service.ts'

const error = Type.Object({ wrong: Type.String() })
const common = { security: {}, operationNames: 'unique', error } as const
const office: Dialect = { ...common, name: 'office', caseSensitive: true }
const desk: Dialect = {
  ...common,
  name: 'desk',
  caseSensitive: false,
  queryCase: 'ignored',
  errorType: 'text/x-wrong+json',
}

const at = '/rooms/{room}'
const rooms = {
  listRooms: operationsOf(office).get('/rooms', { summary: '', replies: { 200: Type.Array(Type.String()) } }),
}
const { get, put } = operationsOf(desk, { at })
const letters = {
  getLetter: get('/letters/{letter}', {
    summary: '',
    query: Type.Object({ page: Type.Optional(Type.Integer()) }),
    headers: Type.Object({ 'if-none-match': Type.Optional(Type.String()) }),
    replies: { 200: Type.Object({ room: Type.String(), letter: Type.String(), page: Type.Integer() }), 304: null },
    replyType: 'application/letter+json',
    replyHeaders: Type.Object({ etag: Type.String() }),
    head: true,
  }),
  putLetter: put('/letters/{letter}', { summary: '', replies: { 200: Type.Object({}) } }),
}

/** The room's name is the password; the host name may contain it as well. */
const deskServer: DialectServer<{ readonly closed: string }> = {
  authentication: { kind: 'none' },
  authenticate({ params: { room = '' }, headers }, _, { closed }) {
    if (room === closed) throw new Failure('unauthenticated', `${room} is closed.`)
    return headers.password === room ? { id: room, tenant: room, allows: () => true } : undefined
  },
  locate: ({ target, headers: { host = '' } }) =>
    String(host).endsWith('.rooms.example') ? `/rooms/${String(host).split('.')[0]}${target}` : undefined,
  checkBody({ body }) {
    if (body?.length === 7) throw new Failure('invalid', 'Seven bytes are unlucky.')
  },
  reply: ({ status, body, headers }, _, { url }) => ({
    status,
    body,
    headers: { ...headers, 'content-location': url.pathname },
  }),
  failure: ({ kind, message }) => ({
    status: { notFound: 404, wrongMethod: 405, unauthenticated: 401, internal: 500 }[kind as string] ?? 400,
    body: { wrong: message },
    mediaType: 'text/x-wrong+json',
  }),
}

const building: Service = {
  name: 'building',
  title: 'A building',
  moves: 'withRows',
  start: () => ({ closed: 'cellar' }),
  apis: [
    {
      dialect: keyedServer({ name: 'building', headers: ['X-Key'] }),
      resources: { rooms: implement(rooms, { listRooms: async () => ok(['attic']) }) },
    },
    {
      name: 'desk',
      at,
      dialect: deskServer as DialectServer,
      resources: {
        letters: implement(letters, {
          async getLetter({ params: { room, letter }, query: { page = 1 }, headers }) {
            if (headers['if-none-match'] === '"1"') return notModified({ etag: '"1"' })
            return ok({ room, letter, page }, { headers: letter === 'odd' ? { other: 'x' } : { etag: '"1"' } })
          },
          putLetter: async () => ok({}),
        }),
      },
    },
  ],
}

test('each API of a service uses its own dialect at its own mount', async () => {
  await using app = await startTestApp(building)
  const headers = { 'x-key': await app.key('ada'), password: 'attic' }
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${app.url}/building${path}`, { ...init, headers: { ...headers, ...init.headers } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  expect(await ask('/rooms')).toMatchObject({ status: 200, body: ['attic'] })

  const letter = await ask('/rooms/attic/letters/first?PAGE=2')
  expect(letter).toMatchObject({ status: 200, body: { room: 'attic', letter: 'first', page: 2 } })
  expect(letter.headers.get('content-type')).toBe('application/letter+json; charset=utf-8')
  expect(await ask('/rooms/attic/letters/first?page=1&Page=2')).toMatchObject({ status: 400 })
  const head = await ask('/rooms/attic/letters/first', { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: undefined })
  expect(head.headers.get('etag')).toBe('"1"')
  const known = await ask('/rooms/attic/letters/first', { headers: { 'if-none-match': '"1"' } })
  expect(known).toMatchObject({ status: 304, body: undefined })

  expect(await ask('/rooms/other/letters/first')).toMatchObject({
    status: 401,
    body: { wrong: 'Send a valid credential.' },
  })
  expect(await ask('/rooms/cellar/letters/first')).toMatchObject({ status: 401, body: { wrong: 'cellar is closed.' } })
  const put = (body: string) => ask('/rooms/attic/letters/first', { method: 'PUT', body })
  expect((await put('123456')).status).toBe(200)
  expect(await put('1234567')).toMatchObject({ status: 400, body: { wrong: 'Seven bytes are unlucky.' } })
  expect(await ask('/rooms/attic/letters/odd'), 'a header that is not in the contract').toMatchObject({
    status: 500,
  })
})

test('404 and 405 below a mount use the dialect of its API, with the allowed methods', async () => {
  await using app = await startTestApp(building)
  const lost = await fetch(`${app.url}/building/rooms/attic/nothing`)
  expect(lost.headers.get('content-type')).toBe('text/x-wrong+json; charset=utf-8')
  expect(await lost.json()).toEqual({ wrong: 'GET /building/rooms/attic/nothing is not an operation.' })
  const wrong = await fetch(`${app.url}/building/rooms/attic/letters/first`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT'])
  const root = await fetch(`${app.url}/building/nothing`)
  expect(await root.json()).toMatchObject({ error: { code: 404 } })
})

test('a request without a service name reaches the mount chosen by its dialect, and knows its own URL', async () => {
  await using app = await startTestApp(building)
  const { port, hostname } = new URL(app.url)
  const ask = (path: string) =>
    new Promise((resolve, reject) => {
      const headers = { host: 'attic.rooms.example', password: 'attic' }
      request({ port, hostname, path, headers }, async (answer) => {
        const body = JSON.parse(Buffer.concat(await answer.toArray()).toString())
        resolve([body, answer.headers['content-location']])
      })
        .once('error', reject)
        .end()
    })
  const found = { room: 'attic', letter: 'first', page: 1 }
  expect(await ask('/letters/first')).toEqual([found, '/letters/first'])
  const whole = '/building/rooms/attic/letters/first'
  expect(await ask(whole), 'its path works, too').toEqual([found, whole])
})

test('operations of all APIs have unique names, and their mounts are unique', () => {
  const [first, second] = building.apis
  const twice: Service = { ...building, apis: [first, second as typeof first, second as typeof first] }
  expect(() => operationsOfService(twice)).toThrow('building has two operations of the same name.')
  const empty = { ...first, resources: {} }
  const crowded: Service = { ...building, apis: [first, empty] }
  expect(() => operationsOfService(crowded)).toThrow('building has two APIs mounted at the same path.')
  const astray: Service = { ...building, apis: [{ ...first, at: '/elsewhere' }] }
  expect(() => operationsOfService(astray)).toThrow('listRooms of building is not at /elsewhere.')
  expect(operationsOfService(building).map(({ permission }) => permission)).toEqual([
    'building:listRooms',
    'building:getLetter',
    'building:putLetter',
  ])
})
