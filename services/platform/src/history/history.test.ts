import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { Failure, implement, job, ok, type Platform, type Service, serviceWithRuntime, sql } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { startProxy, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating, platform, platformWith } from '../index.ts'
import { history as contract } from './contract.ts'
import { insertSpans, pruneSpans } from './store.ts'

interface Runtime {
  readonly traces: Platform['traces']
  readonly failed: Set<string>
}

const remind = job<object, Runtime>('remind', { async run() {} })

const deliver = job<{ readonly error: string }, Runtime>('deliver', {
  retries: 1,
  async run({ error }, { tenant, clock, runtime: { traces, failed } }) {
    await traces.sending('send', { 'server.address': 'hooks.example.com' }, async () => {})
    if (error && !failed.has(tenant)) {
      failed.add(tenant)
      throw error === 'refused' ? new Failure('unavailable', 'The receiver is closed.') : new Error(JSON.parse(error))
    }
    return async (_, jobs) => jobs.enqueue(remind, {}, { at: new Date(clock.now().getTime() + 60_000) })
  },
})

const posts = {
  createPost: keyed('X-Api-Key').post('/posts', {
    summary: 'Deliver a post.',
    body: named('Post', { error: Type.String() }),
    replies: { 200: named('Posted', { id: Type.String() }) },
  }),
  changePost: keyed('X-Api-Key').put('/posts/{post}', {
    summary: 'Deliver a post again.',
    replies: { 200: named('Changed', {}) },
  }),
}

const delivering: Service = serviceWithRuntime<Runtime>({
  name: 'delivering',
  title: 'Delivering',
  moves: 'withRows',
  apis: [
    {
      dialect: keyedServer({ name: 'delivering', headers: ['X-Api-Key'] }),
      resources: {
        posts: implement(posts, {
          async createPost({ body }, { jobs }) {
            if (body.error === 'crash') throw new Error('crashed with postgres://u:hidden@db')
            await jobs.enqueue(deliver, body)
            return ok({ id: 'first-post' })
          },
          async changePost(_, { jobs }) {
            await jobs.enqueue(deliver, { error: '' })
            return ok({})
          },
        }),
      },
    },
  ],
  start: ({ traces }) => ({ traces, failed: new Set() }),
  jobs: [deliver, remind],
})

const log = createLog({ level: 'warn', destination: { write() {} } })
const start = (service: Service, more = {}) => startTestApp({ services: [service, delivering], log, ...more })
let app: TestApp
beforeAll(async () => {
  app = await start(platform)
})
afterAll(() => app[Symbol.asyncDispose]())

async function clientOf(tenant: string, at = app) {
  const headers = { 'x-api-key': await at.key(tenant), 'content-type': 'application/json' }
  const post = (error: string, more = {}) =>
    fetch(`${at.url}/delivering/posts`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ error }),
    })
  const create = async (error: string, more = {}) => {
    const response = await post(error, more)
    await at.jobs.drain()
    return response.headers.get('x-request-id') ?? ''
  }
  const put = async (path: string, body: object) =>
    (await fetch(at.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })).status
  const read = async (query: { trace?: string; request?: string; path?: string; created?: string }) =>
    (await at.client(contract, { headers }, platform).getHistory({ query })).body
  return { post, create, put, read }
}

test('the history of a request has its jobs with attempts and errors, and what they sent', async () => {
  const { create, read } = await clientOf('ada')
  const request = await create('refused')
  await app.clock.advance(10_000)
  await app.jobs.drain()
  await app.clock.advance(120_000)
  await app.jobs.drain()
  await expect.poll(async () => (await read({ request })).value.length).toBe(6)
  const { value, recorded, truncated } = await read({ request })
  expect([recorded, truncated]).toEqual([true, false])
  const [asked, first, sent, second, sentAgain, reminder] = value
  expect(asked).toMatchObject({ kind: 'request', name: 'delivering:createPost', requestId: request, status: 200 })
  expect(first).toMatchObject({ kind: 'job', name: 'delivering:deliver', attempt: 1, outcome: 'failed', failed: true })
  expect(first).toMatchObject({ parentId: asked?.spanId, error: 'The receiver is closed.' })
  expect(sent).toMatchObject({ kind: 'delivery', parentId: first?.spanId })
  expect(sent?.attributes).toEqual({ 'server.address': 'hooks.example.com' })
  expect(second).toMatchObject({ kind: 'job', attempt: 2, outcome: 'completed', failed: false })
  expect(second).not.toHaveProperty('error')
  expect(sentAgain).toMatchObject({ kind: 'delivery', parentId: second?.spanId })
  expect(reminder).toMatchObject({ kind: 'job', name: 'delivering:remind', enqueuedBy: asked?.traceId })
  expect(reminder?.traceId).not.toBe(asked?.traceId)
  expect(Date.parse(reminder?.at ?? '') - Date.parse(asked?.at ?? ''), 'by the moved clock').toBeGreaterThan(100_000)
  expect((await read({ trace: asked?.traceId ?? '' })).value).toEqual(value)
})

test('the history of a resource has its creation, changes, their jobs, and moves of the clock between them', async () => {
  const { create, put, read } = await clientOf('ann')
  await create('')
  const path = '/delivering/posts/first-post'
  expect(await put('/platform/clock', { byMs: 1_000 }), 'before any change by path').toBe(200)
  expect(await put(path, {})).toBe(200)
  expect(await put('/platform/clock', { byMs: 60_000 })).toBe(200)
  expect(await put('/delivering/posts/first-post-of-another', {})).toBe(200)
  expect(await put(path, {})).toBe(200)
  await app.jobs.drain()
  const names = async (query: { path: string; created?: string }) => (await read(query)).value.map(({ name }) => name)
  const change = ['delivering:changePost', 'delivering:deliver', 'send']
  await expect
    .poll(async () => (await names({ path })).sort())
    .toEqual([...change, ...change, 'platform:moveClock'].sort())
  const created = '/delivering/posts#first-post'
  const all = await names({ path, created })
  expect(all.slice(0, 3)).toEqual(['delivering:createPost', 'delivering:deliver', 'send'])
  expect(await names({ path, created: '/delivering/posts#first' })).not.toContain('delivering:createPost')
  const { read: readOther } = await clientOf('eve')
  expect((await readOther({ path, created })).value).toEqual([])
  await expect(read({ path, request: 'a' })).rejects.toMatchObject({ status: 400 })
})

test('a tenant that sends the trace of another sees its own events only', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-00` // not sampled
  const [mia, eve] = [await clientOf('mia'), await clientOf('eve')]
  const request = await mia.create('', { traceparent })
  await expect.poll(async () => (await mia.read({ request })).value.length).toBe(3)
  const own = await eve.create('', { traceparent })
  await expect.poll(async () => (await eve.read({ trace: traceId })).value.length).toBe(3)
  expect((await eve.read({ request })).value).toEqual([])
  const [theirs, hers] = [await mia.read({ trace: traceId }), await eve.read({ trace: traceId })]
  expect(hers.value.map(({ requestId }) => requestId)).toContain(own)
  const ids = (events: typeof hers) => events.value.map(({ spanId }) => spanId)
  expect(ids(theirs).filter((id) => ids(hers).includes(id))).toEqual([])
})

test('internal errors are shown in development mode only, and never with secrets', async () => {
  const history = async (at: TestApp) => {
    const { create, read } = await clientOf('zoe', at)
    const request = await create('crash')
    await expect.poll(async () => (await read({ request })).value.length).toBe(1)
    return (await read({ request })).value
  }
  expect(await history(app)).toMatchObject([{ status: 500, failed: true, error: 'crashed with postgres://u:***@db' }])
  const production = platformWith({ isDevelopment: false, keepsHistory: true })
  await using node = await start(production, { databaseUrl: app.databaseUrl })
  expect(await history(node)).toMatchObject([{ error: 'Something went wrong on our side.' }])
})

test('nothing is recorded unless the operator wants it', async () => {
  await using node = await start(operating)
  const { create, read } = await clientOf('ada', node)
  const request = await create('')
  expect(await read({ request })).toEqual({ value: [], recorded: false, truncated: false })
  expect(node.platform.traces.begin('request', {}).isRecorded).toBe(false)
})

test('requests during a database outage are recorded once it is over', async () => {
  await using proxy = await startProxy(app.databaseUrl)
  await using node = await start(platform, { databaseUrl: proxy.url })
  const { post, read } = await clientOf('gwen', node)
  await post('')
  proxy.become('refusing')
  const refused = await post('')
  expect(refused.status).toBe(503)
  proxy.become('through')
  const request = refused.headers.get('x-request-id') ?? ''
  const statuses = async () => (await read({ request }).catch(() => undefined))?.value.map(({ status }) => status)
  await expect.poll(statuses, { timeout: 60_000 }).toEqual([503])
})

test('texts that PostgreSQL cannot store are cleaned', async () => {
  const { create, read } = await clientOf('nul')
  const request = await create(JSON.stringify('a\0 \ud800 error'))
  await expect.poll(async () => (await read({ request })).value.map(({ error }) => error)).toContain('a \ufffd error')
})

test('a trace or a request must be named', async () => {
  const { read } = await clientOf('ada')
  await expect(read({})).rejects.toMatchObject({ status: 400 })
  await expect(read({ trace: '4bf92f3577b34da6a3ce929d0e0e4736', request: 'a' })).rejects.toMatchObject({ status: 400 })
})

test('long histories are truncated, endless chains of traces end, and old spans are deleted', async () => {
  const { database } = app.platform
  const span = (tenant: string, n: number, traceId: string, enqueuedBy?: string) => ({
    ...{ tenant, traceId, enqueuedBy, kind: 'job', name: 'a:b', ms: 1, hasFailed: false, attributes: {} },
    ...{ spanId: String(n), parentId: undefined, requestId: undefined, error: undefined },
    startedAtMs: Date.UTC(2020, 0, 1) + n * 1_000,
  })
  const trace = (n: number) => n.toString(16).padStart(32, '0')
  const long = Array.from({ length: 600 }, (_, n) => span('long', n, trace(1)))
  const chain = Array.from({ length: 300 }, (_, n) => span('chain', n, trace(n), trace((n + 299) % 300)))
  await database.transaction((db) => insertSpans(db, [...long, ...chain]))
  const ofLong = await (await clientOf('long')).read({ trace: trace(1) })
  expect([ofLong.value.length, ofLong.truncated]).toEqual([500, true])
  expect((await (await clientOf('chain')).read({ trace: trace(0) })).value).toHaveLength(100)
  await database.transaction((db) => pruneSpans(db, 10))
  const old = await database.many(sql`select from platform.spans where started_at < '2021-01-01'`)
  expect(old, 'requests of these tests are newer, and recorded meanwhile').toEqual([])
})
