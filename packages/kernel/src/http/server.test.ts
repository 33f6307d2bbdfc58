import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { createLog } from '@icosa/telemetry'
import { createTestDatabase, example, freePort, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { publishNote } from '../../../testing/src/example/notes/jobs.ts'
import { media, type Resource } from '../implement.ts'
import { jobsIn } from '../jobs/queue.ts'
import type { Service } from '../service.ts'

/** Sends raw bytes, which no client would, and returns the status line. */
async function raw(app: TestApp, lines: readonly string[], body = ''): Promise<string> {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  return answer.split('\r\n', 1)[0] ?? ''
}

test('where host names are restricted, a health check by HTTP/1.0 needs none', async () => {
  await using app = await startTestApp({ services: [example], hostnames: ['127.0.0.1'] })
  expect(await raw(app, ['GET /healthz HTTP/1.0'])).toBe('HTTP/1.1 200 OK')
  expect(await raw(app, ['GET /healthz HTTP/1.0', 'Host: rebound.example'])).toBe('HTTP/1.1 403 Forbidden')
})

test('ambiguous requests are refused (request smuggling)', async () => {
  await using app = await startTestApp(example)
  const key = await app.key('ada')
  const start = ['POST /example/notes HTTP/1.1', 'Host: a', `X-Api-Key: ${key}`, 'Connection: close']
  const body = '{"title":"t","text":""}'
  const json = 'Content-Type: application/json'
  const length = `Content-Length: ${body.length}`
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

  expect(await raw(app, [...start, json, length], body)).toBe('HTTP/1.1 201 Created')
  expect(await raw(app, [...start, json, 'Transfer-Encoding: chunked'], chunked)).toBe('HTTP/1.1 201 Created')
  for (const extra of [
    ['Host: b', json, length],
    ['host: a', json, length],
    [json, length, length],
    [json, length, 'Content-Length: 5'],
    [json, length, 'Transfer-Encoding: chunked'],
    [json, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    [json, 'Transfer-Encoding: chunked, identity'],
    [json, 'Content-Type: text/plain', length],
    [json, length, 'Authorization: a', 'Authorization: b'],
    [json, 'Content-Length : 5'],
    [json, `${length}\n`],
  ])
    expect(await raw(app, [...start, ...extra], body), extra.join(' | ')).toBe('HTTP/1.1 400 Bad Request')
  expect(await raw(app, ['GET /example/notes HTTP/1.1', `X-Api-Key: ${key}`, 'Connection: close'])).toContain('400')
})

test('a body must be JSON of any JSON media type, in UTF-8, harmless and not too large', async () => {
  await using app = await startTestApp(example)
  const key = await app.key('ada')
  const post = async (body: string | Buffer<ArrayBuffer>, type: string | undefined = 'application/json') => {
    const headers = { 'x-api-key': key, ...(type && { 'content-type': type }) }
    return (await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body })).status
  }
  const note = '{"title":"t","text":""}'
  expect(await post(note)).toBe(201)
  expect(await post(note, 'application/json; charset=utf-8')).toBe(201)
  expect(await post(note, 'application/vnd.icosa+json')).toBe(201)
  expect(await post(Buffer.from(note), '')).toBe(201)
  expect(await post(note, 'text/plain')).toBe(400)
  expect(await post(note, 'application/jsonp')).toBe(400)
  expect(await post('{"title":')).toBe(400)
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
    for (const depth of [101, 10_000, 150_000])
      expect(await post(`{"title":${open.repeat(depth)}1${close.repeat(depth)}}`), `${depth} times ${open}`).toBe(400)
  expect(await post('')).toBe(400)
  expect(await post(Buffer.from([0x22, 0xff, 0x22]))).toBe(400)
  expect(await post('{"title":"t","text":"","__proto__":{"admin":true}}')).toBe(400)
  expect(await post('{"title":"t","text":"\\u0000"}'), 'PostgreSQL cannot store U+0000').toBe(400)
  expect(await post(`{"title":"t","text":"${'x'.repeat(2_000_000)}"}`)).toBe(413)
})

test('an unknown field is refused, with a suggestion', async () => {
  await using app = await startTestApp(example)
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const post = async (body: object) => {
    const answer = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text() }
  }
  const near = await post({ title: 't', txet: '' })
  expect(near).toMatchObject({ status: 400, text: expect.stringContaining("txet is unknown; did you mean 'text'?") })
  expect((await post({ title: 't', text: '', ['z'.repeat(100_000)]: 1 })).status).toBe(400)
})

test('credentials are checked before the body is read', async () => {
  await using app = await startTestApp(example)
  const start = ['POST /example/notes HTTP/1.1', 'Host: a', 'Content-Length: 1000000', 'Connection: close']
  expect(await raw(app, start, 'only the first bytes')).toBe('HTTP/1.1 401 Unauthorized')
})

test('paths are case-sensitive by dialect and ignore trailing slashes; errors are JSON', async () => {
  await using app = await startTestApp({ services: [example], unbuilt: ['banking'] })
  const headers = { 'x-api-key': await app.key('ada') }
  const get = (path: string) => fetch(`${app.url}${path}`, { headers })
  expect((await get('/example/notes')).status).toBe(200)
  expect((await get('/example/notes/')).status).toBe(200)
  for (const path of ['/example/Notes', '/example/nothing', '/Example/notes']) {
    const answer = await get(path)
    expect({ path, status: answer.status, body: await answer.json() }).toMatchObject({
      status: 404,
      body: { error: {} },
    })
  }
  expect(await (await get('/nobody')).json()).toEqual({
    error: 'There is nothing at /nobody. GET / lists the services.',
  })
  const unbuilt = await get('/banking/accounts?x=1')
  expect([unbuilt.status, await unbuilt.json()]).toEqual([501, { error: 'The service banking is not supported yet.' }])
  expect(await (await get('/')).json()).toEqual({ services: [{ name: 'example', url: '/example' }] })
})

test('the rate limit of a tenant yields 429 with Retry-After and does not affect others', async () => {
  await using app = await startTestApp({ services: [example], rateLimit: { perSecond: 1, burst: 3 } })
  const ask = async (key: string) => fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': key } })
  const [ada, bob] = [await app.key('ada'), await app.key('bob')]
  const statuses = []
  for (let n = 0; n < 4; n++) statuses.push((await ask(ada)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  expect((await ask(ada)).headers.get('retry-after')).toBe('1')
  expect((await ask(bob)).status).toBe(200)
  expect((await ask(await app.key('ada'))).status, 'another key of the same tenant').toBe(429)
})

test('replies contain public URLs', async () => {
  const post = async (app: TestApp, headers: Record<string, string> = {}) => {
    const all = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json', ...headers }
    const created = await fetch(`${app.url}/example/notes`, {
      method: 'POST',
      headers: all,
      body: '{"title":"t","text":""}',
    })
    const { id } = (await created.json()) as { id: string }
    const published = await fetch(`${app.url}/example/notes/${id}/publish`, { method: 'POST', headers: all })
    return new URL(published.headers.get('operation-location') ?? '')
  }
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com' }
  {
    await using app = await startTestApp(example)
    expect((await post(app, forwarded)).origin, 'an untrusted header').toBe(app.url)
  }
  {
    await using app = await startTestApp({ services: [example], trustedProxies: 1 })
    expect((await post(app, forwarded)).origin).toBe('https://api.example.com')
  }
  await using app = await startTestApp({ services: [example], publicUrls: ['https://example.org/icosa/'] })
  expect((await post(app)).href).toMatch(/^https:\/\/example\.org\/icosa\/example\/operations\/[\w-]+$/)
})

test('a node serves health and metrics, and logs one line per request with the operation and no secret', async () => {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const port = await freePort()
  await using app = await startTestApp({
    services: [example],
    log: createLog({ level: 'info', destination }),
    metrics: { host: '127.0.0.1', port },
    lacking: () => ({ example: ['ffmpeg'], other: [] }),
  })
  const key = await app.key('ada')
  const answer = await fetch(`${app.url}/example/notes?limit=2`, { headers: { 'x-api-key': key } })
  const line = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request')
  expect(line).toMatchObject({ tenant: 'ada', operation: 'example:listNotes', status: 200 })
  expect(line.requestId).toBe(answer.headers.get('x-request-id'))
  expect(lines.join('')).not.toContain(key)

  expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: 'alive' })
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({
    ...{ ready: true, status: 'ready', blobs: 'ready' },
    services: { example: { ready: false, lacks: ['ffmpeg'] }, other: { ready: true, lacks: [] } },
  })
  for (const path of ['/metrics', '/METRICS', '/metrics/', '/%6detrics', '//metrics'])
    expect((await fetch(app.url + path)).status, path).toBe(404)
  const scraped = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(scraped.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/example/notes'],
    ['POST', '/metrics'],
    ['GET', '/readyz'],
  ])
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: method as string })).status).toBe(404)
  const figures = await scraped.text()
  expect(figures).toContain(
    'icosa_request_duration_seconds_count{service="example",operation="listNotes",status="200"} 1',
  )
  expect(figures).toMatch(/^icosa_database_connections \d+$/m)
  expect(figures).toMatch(/^# TYPE icosa_spans_lost_total counter$/m)
  const counters = [...figures.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name)
  expect(counters.filter((name) => !name?.endsWith('_total'))).toEqual([])
})

test('a worker serves its health and job metrics, and nothing else', async () => {
  await using app = await startTestApp({ services: [example], api: { host: '127.0.0.1', port: 0, services: [] } })
  const { database, queue } = app.platform
  await database.transaction((db) => jobsIn(queue, db, 'example', 'ada').enqueue(publishNote, { noteId: 'unknown' }))
  await app.jobs.drain()
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${app.url}/example/notes`)).status).toBe(404)
  const figures = app.platform.metrics.text()
  expect(figures).toContain('icosa_job_duration_seconds_count{service="example",job="publishNote",outcome="failed"} 1')
})

test('a node whose database is gone returns errors, is not ready, and survives', async () => {
  const testDatabase = await createTestDatabase([example])
  await using app = await startTestApp({ services: [example], databaseUrl: testDatabase.url })
  const key = await app.key('ada')
  await testDatabase[Symbol.asyncDispose]()
  const answer = await fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': key } })
  expect(answer.status).toBeGreaterThanOrEqual(500)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
})

test.each(['whole', 'streamed'])('a %s reply whose headers cannot be written ends the request', async (kind) => {
  const [api] = example.apis
  const { notes } = api.resources as Record<string, Resource>
  const content = kind === 'whole' ? 'text' : Readable.from(['text'])
  const listNotes = async () => media('text/plain', content, { 'x-broken': 'two\nlines' })
  const broken = { ...notes, handlers: { ...notes?.handlers, listNotes } } as Resource
  const service = { ...example, apis: [{ ...api, resources: { ...api.resources, notes: broken } }] } as Service
  await using app = await startTestApp(service)
  const headers = { 'x-api-key': await app.key('ada') }
  const answer = fetch(`${app.url}/example/notes`, { headers, signal: AbortSignal.timeout(10_000) })
  const ended = answer.then(
    ({ status }) => status,
    (error: Error) => error.name,
  )
  expect(await ended).toBe(kind === 'whole' ? 500 : 'TypeError') // fetch's error for a broken connection
})
