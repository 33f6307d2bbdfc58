import { named, readOnly, Type } from '@icosa/contract'
import { Failure, implement, type Kind, Media, ok } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { statusOf } from '../status.ts'
import { canonicalOf, httpStatusOf, numberOf } from './codes.ts'
import { enumeration, google } from './contract.ts'
import { maskedFields, withFields } from './field-mask.ts'
import { normalize } from './normalize.ts'
import { toOperation } from './operations.ts'
import { googleServer } from './server.ts'
import { camel } from './spelling.ts'

const optional = Type.Optional
const Thing = named('Thing', {
  kind: optional(enumeration('KIND_UNSPECIFIED', 'SMALL', 'LARGE')),
  labels: optional(Type.Record(Type.String())),
  parts: optional(Type.Array(Type.Object({ kind: optional(enumeration('NONE', 'ONE')) }))),
  buildConfig: optional(Type.Object({ runTime: optional(Type.String()), source: optional(Type.String()) })),
  state: readOnly(optional(Type.String())),
  size: readOnly(optional(Type.Integer())),
})

test.each<[unknown, unknown]>([
  [{ kind: 2 }, { kind: 'LARGE' }],
  [{ kind: 'LARGE' }, { kind: 'LARGE' }],
  [{ kind: 9 }, { kind: 9 }], // refused by the validation that follows
  [{ parts: [{ kind: 1 }, { kind: 'NONE' }] }, { parts: [{ kind: 'ONE' }, { kind: 'NONE' }] }],
  [{ build_config: { run_time: 'a' } }, { buildConfig: { runTime: 'a' } }],
  [{ labels: { snake_case: 'kept' }, kind: null }, { labels: { snake_case: 'kept' } }],
  [{ unknown: '', other: { deep: [0, false, 'X_UNSPECIFIED'] } }, {}],
  [{ unknown: 'something' }, { unknown: 'something' }],
  [{ constructor: 'something' }, { constructor: 'something' }],
  [
    { kind: 'length', size: 3 },
    { kind: 'length', size: 3 },
  ],
  [{ unknown: true }, { unknown: true }],
  [{ unknown: 1 }, { unknown: 1 }],
  [{ unknown: { a: 0, b: true } }, { unknown: { a: 0, b: true } }],
  [{ unknown: { a: null, b: [false] } }, {}],
  ['text', 'text'],
  [null, null],
  [7, 7],
])('%j is normalized to %j', (body, normalized) => {
  expect(normalize(body, Thing)).toEqual(normalized)
})

test.each<[string | undefined, unknown, readonly string[]]>([
  [undefined, { labels: { a: 'b' }, buildConfig: { source: 's' }, state: 'ignored' }, ['labels', 'buildConfig.source']],
  ['labels,build_config.run_time', {}, ['labels', 'buildConfig.runTime']],
  ['buildConfig', {}, ['buildConfig']],
  [' kind , labels ', {}, ['kind', 'labels']],
  ['', { labels: {} }, ['labels']],
  [undefined, undefined, []],
  [undefined, ['labels'], []],
  ['*', {}, ['kind', 'labels', 'parts', 'buildConfig']],
])('the mask %s names fields', (mask, body, fields) => {
  expect(maskedFields(mask, body, Thing).map((path) => path.join('.'))).toEqual(fields)
})

test.each(['nothing', 'state', 'labels.a', 'buildConfig.other', 'constructor', 'buildConfig.toString'])(
  'the mask %s is refused',
  (mask) => {
    expect(() => maskedFields(mask, {}, Thing)).toThrow(`query/updateMask names '${mask}'`)
  },
)

test('masked fields are replaced or removed', () => {
  const current = { labels: { a: '1' }, buildConfig: { runTime: 'x', source: 's' } }
  const change = (body: unknown, ...paths: string[]) =>
    withFields(
      current,
      body,
      paths.map((path) => path.split('.')),
    )
  expect(change({ buildConfig: { source: 't' } }, 'buildConfig.source').buildConfig).toEqual({
    runTime: 'x',
    source: 't',
  })
  expect(change({}, 'labels', 'buildConfig.source')).toEqual({ buildConfig: { runTime: 'x' } })
  expect(change({}, 'buildConfig.source', 'buildConfig.runTime')).toEqual({ labels: { a: '1' } })
  expect(change({ labels: {} }, 'labels').labels, 'a map without entries').toEqual({})
  expect(current.buildConfig.source).toBe('s')
  expect(['build_config', 'a_1', 'a__b', 'a_'].map(camel)).toEqual(['buildConfig', 'a1', 'a_B', 'a_'])
})

test.each(Object.keys(statusOf) as Kind[])('a failure of kind %s has a code, a number and a status', (kind) => {
  const { failure } = googleServer({ domain: 'things.example.com', roots: [] })
  const { status, body } = failure(new Failure(kind, 'Why.', { code: 'REASON' }), {} as never)
  expect(numberOf(canonicalOf(kind))).toBeGreaterThan(0)
  expect(status).toBe(httpStatusOf(kind))
  expect(body).toMatchObject({
    error: { code: status, message: 'Why.', status: canonicalOf(kind), details: [{ reason: 'REASON' }] },
  })
})

test('a finished operation has either a response or an error', () => {
  const at = new Date(0)
  const parts = { name: 'operations/1', metadata: {}, responseType: 'a type' }
  const operationIn = (status: 'pending' | 'running' | 'succeeded' | 'failed' | 'cancelled', more: object = {}) =>
    toOperation({ status, result: null, error: null, createdAt: at, updatedAt: at, ...more }, parts)
  expect(operationIn('pending')).toEqual({
    name: 'operations/1',
    done: false,
    metadata: { createTime: at.toISOString() },
  })
  expect(operationIn('succeeded', { result: { a: 1 } }).response).toEqual({ '@type': 'a type', a: 1 })
  expect(operationIn('succeeded').response).toEqual({ '@type': 'type.googleapis.com/google.protobuf.Empty' })
  expect(operationIn('failed', { error: { kind: 'alreadyExists', message: 'm' } }).error).toMatchObject({
    code: 6,
    message: 'm',
  })
  expect(operationIn('cancelled').error).toMatchObject({ code: 1 })
  expect(operationIn('failed').error, 'without a reason').toEqual({ code: 13, message: '', details: [] })
  expect(operationIn('running')).toEqual(operationIn('pending'))
  for (const status of ['succeeded', 'failed', 'cancelled'] as const) {
    const { response, error, done, metadata } = operationIn(status)
    expect([done, response === undefined, error === undefined]).toEqual([
      true,
      status !== 'succeeded',
      status === 'succeeded',
    ])
    expect(metadata).toHaveProperty('endTime')
  }
})

test('maps every kind to the code and status that clients expect', () => {
  const codes = (Object.keys(statusOf) as Kind[]).map((kind) => [kind, numberOf(canonicalOf(kind)), httpStatusOf(kind)])
  expect(codes).toEqual([
    ['invalid', 3, 400],
    ['unauthenticated', 16, 401],
    ['forbidden', 7, 403],
    ['notFound', 5, 404],
    ['wrongMethod', 12, 405],
    ['alreadyExists', 6, 409],
    ['conflict', 10, 409],
    ['preconditionFailed', 9, 400],
    ['tooLarge', 3, 413],
    ['lengthRequired', 3, 411],
    ['unsupportedMediaType', 3, 415],
    ['misdirected', 14, 421],
    ['rateLimited', 8, 429],
    ['limitReached', 8, 429],
    ['notImplemented', 12, 501],
    ['unavailable', 14, 503],
    ['internal', 13, 500],
  ])
})

test('the server locates its paths, pages lists and reports violations by field', async () => {
  const server = googleServer({ domain: 'things.example.com', roots: ['/v2/projects/', '/v1/'] })
  const located = ['/v2/projects/a', '/v1/x?y', '/v2/other', '/x/v1/'].map((target) =>
    server.locate?.({ target, headers: {} }),
  )
  expect(located).toEqual(['/v2/projects/a', '/v1/x?y', undefined, undefined])
  expect(server.normalize?.({ kind: 1 }, Thing)).toEqual({ kind: 'SMALL' })
  expect([server.spellings, server.authentication]).toEqual([{}, { kind: 'bearer' }])
  const reply = (body: unknown, next?: string) =>
    server.reply({ status: 200, body, headers: { a: 'b' }, next }, {} as never, {} as never, undefined)
  expect(reply({ things: [] })).toStrictEqual({ status: 200, headers: { a: 'b' }, body: { things: [] } })
  expect(reply({ things: [] }, 'more').body).toEqual({ things: [], nextPageToken: 'more' })
  const media = new Media('text/plain', Buffer.from('text'))
  expect(reply(media, 'more').body).toBe(media)

  const failed = (kind: Kind, options = {}) => server.failure(new Failure(kind, 'Why.', options), {} as never)
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'things.example.com' }
  expect(failed('unauthenticated')).toEqual({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: {
      error: {
        code: 401,
        message: 'Why.',
        status: 'UNAUTHENTICATED',
        details: [{ ...info, reason: 'UNAUTHENTICATED' }],
      },
    },
  })
  const { headers, body } = failed('invalid', { code: 'X', details: [{ at: 'body/a', message: 'is missing' }] })
  expect(headers).toEqual({})
  expect(body).toMatchObject({
    error: {
      details: [
        { ...info, reason: 'X' },
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'body/a', description: 'is missing' }],
        },
      ],
    },
  })
})

test('a project belongs to the tenant that first creates something in it; others get 404', async () => {
  const api = google('v2')
  const replies = { 200: named('Count', { things: Type.Integer() }) }
  const at = '/v2/projects/{project}/things'
  const contract = {
    listThings: api.get(at, { summary: 'List things.', replies }),
    makeThing: api.post(at, { summary: 'Make a thing.', replies }),
    findThings: api.post(`${at}:find`, { summary: 'Find things.', replies, reads: true }),
    listKinds: api.post('/v2/kinds', { summary: 'List kinds.', replies }),
  }
  const answer = async () => ok({ things: 1 })
  const resource = implement(contract, {
    listThings: answer,
    makeThing: answer,
    findThings: answer,
    listKinds: answer,
  })
  const dialect = googleServer({ domain: 'things.example.com', roots: ['/v2/'] })
  await using app = await startTestApp({
    name: 'things',
    title: 'Things',
    moves: 'withRows',
    apis: [{ dialect, resources: { resource } }],
  })
  const call = async (tenant: string, method: string, path: string) => {
    const headers = { authorization: `Bearer ${await app.key(tenant)}` }
    const reply = await fetch(`${app.url}/things/v2${path}`, { method, headers })
    if (reply.status === 404) expect(await reply.text()).toContain("The project 'mine' was not found")
    return reply.status
  }
  expect(await call('ada', 'POST', '/kinds'), 'of no project').toBe(200)
  expect(await call('ada', 'POST', '/projects/mine/things:find'), 'unassigned so far').toBe(200)
  expect(await call('bob', 'POST', '/projects/mine/things'), 'reading assigns nothing').toBe(200)
  expect(await call('ada', 'POST', '/projects/mine/things')).toBe(404)
  expect(await call('ada', 'GET', '/projects/mine/things')).toBe(404)
  expect(await call('bob', 'GET', '/projects/mine/things')).toBe(200)
})
