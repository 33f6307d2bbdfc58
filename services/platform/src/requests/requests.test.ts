import { connect } from 'node:net'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating, platform } from '../index.ts'
import { requests as contract } from './contract.ts'
import { watch } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ services: [platform, example] })
})
afterAll(() => app[Symbol.asyncDispose]())

const headersOf = async (tenant: string, permissions?: readonly string[], at = app) => ({
  'x-api-key': await at.key(tenant, permissions),
})
const createNote = (headers: Record<string, string>, body: object, query = '', at = app) =>
  fetch(`${at.url}/example/notes${query}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
/** A request that needs no database. */
const refused = (headers: Record<string, string>) => fetch(`${app.url}/example/notes/unknown`, { headers })
const recent = async (headers: Record<string, string>, query = {}) =>
  (await app.client(contract, { headers }).watchRequests({ query })).body

test('a request is recorded with its bodies, and streamed live', async () => {
  const headers = await headersOf('ada')
  await using stream = await watch(app.url, headers, '?service=example')
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const created = await createNote({ ...headers, traceparent }, { title: 'A title', text: 'A text' })
  await expect.poll(() => stream.requests).toHaveLength(1)
  const [request] = stream.requests
  expect(request).toMatchObject({
    id: created.headers.get('x-request-id'),
    service: 'example',
    operation: 'createNote',
    method: 'POST',
    path: '/example/notes',
    query: {},
    status: 201,
    traceId: traceparent.split('-')[1],
    request: { bytes: 35, body: '{"title":"A title","text":"A text"}' },
    response: { body: expect.stringContaining('"title":"A title"') },
  })
  const { value, recorded } = await recent(headers, { service: 'example' })
  expect([value, recorded]).toEqual([[request], true])
  await refused(headers)
  expect((await recent(headers, { service: 'example', minStatus: 400 })).value).toMatchObject([
    { operation: 'getNote', status: 404, response: { body: expect.stringContaining('note') } },
  ])
  expect((await recent(headers, { operation: 'createNote', limit: 1 })).value).toHaveLength(1)
})

test('another tenant sees nothing, whatever it sends', async () => {
  const [ada, eve] = [await headersOf('ada'), await headersOf('eve')]
  await using stream = await watch(app.url, eve)
  const created = await createNote(ada, { title: 'of ada', text: '' })
  const { id } = (await created.json()) as { id: string }
  await fetch(`${app.url}/example/notes/${id}`, { headers: eve }) // her own, refused
  await createNote(eve, { title: 'of eve', text: '' })
  await expect.poll(() => stream.text()).toContain('of eve')
  expect(stream.text()).not.toContain('of ada')
  const { value } = await recent(eve)
  expect(JSON.stringify(value)).not.toContain('of ada')
  expect(value.map(({ path }) => path)).toContain(`/example/notes/${id}`)
  for (const query of ['?tenant=ada', '?service=example&tenant=ada'])
    expect(await (await fetch(`${app.url}/platform/requests${query}`, { headers: eve })).text()).not.toContain('of ada')
})

test('a credential without the permission is refused', async () => {
  const headers = await headersOf('ada', ['example:*'])
  for (const accept of ['application/json', 'text/event-stream']) {
    const response = await fetch(`${app.url}/platform/requests`, { headers: { ...headers, accept } })
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('platform:watchRequests')])
  }
})

test('credentials and secrets are never included', async () => {
  const headers = await headersOf('mia')
  const secret = 'S3CR3TVALUE'
  const key = headers['x-api-key']
  await createNote(
    {
      ...headers,
      authorization: `Bearer ${secret}`,
      cookie: `session=${secret}`,
      'x-amz-security-token': secret,
      referer: `https://example.com/?code=${secret}`,
      'x-other': `Bearer ${secret}`,
    },
    { title: `postgres://u:${secret}@host`, text: `key ${key}`, password: secret, nested: { apiKey: [secret] } },
    `?api_key=${secret}&${secret}&limit=${secret}&token=${secret}&x=https%3A%2F%2Fu%3A${secret}%40h`,
  )
  const raw = (contentType: string, body: string) =>
    fetch(`${app.url}/example/notes`, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body })
  await raw('application/json', `{password: "${secret}"}`)
  await raw('application/x-www-form-urlencoded', `password=${secret}&a=b`)
  await raw('text/plain', secret)
  await raw(`application/json; boundary=Bearer ${secret}`, '{}')
  const { value } = await recent(headers)
  expect(value).toHaveLength(5)
  const text = JSON.stringify(value)
  expect(text).not.toContain(secret)
  expect(text).not.toContain(key)
  expect(value.at(-1)).toMatchObject({
    request: { headers: { authorization: '***', cookie: '***', 'x-api-key': '***' } },
  })
})

test('hostile sizes are cut off', async () => {
  const headers = await headersOf('zoe')
  const many = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`x-${n}`, 'v'.repeat(500)]))
  const query = Array.from({ length: 400 }, (_, n) => `q${n}=1`).join('&')
  await createNote({ ...headers, ...many }, { title: '"'.repeat(500_000), text: '' }, `?${query}`)
  const [request] = (await recent(headers)).value
  expect(request?.request).toMatchObject({ truncated: true, bytes: expect.toSatisfy((n) => n > 1_000_000) })
  expect(JSON.stringify(request).length).toBeLessThan(50_000)
})

test('records a limited number of requests', async () => {
  const headers = await headersOf('max')
  for (let batch = 0; batch < 11; batch++) await Promise.all(Array.from({ length: 100 }, () => refused(headers)))
  expect((await recent(headers, { limit: 1000 })).value).toHaveLength(1_000)
})

test('a tenant may open ten streams, and HEAD opens none', async () => {
  const headers = await headersOf('leo')
  for (let n = 0; n < 12; n++) {
    const head = await fetch(`${app.url}/platform/requests`, {
      method: 'HEAD',
      headers: { ...headers, accept: 'text/event-stream' },
    })
    expect(head.status).toBe(200)
  }
  const streams = await Promise.all(Array.from({ length: 10 }, () => watch(app.url, headers)))
  const open = () => watch(app.url, headers)
  expect((await open()).response.status).toBe(429)
  expect((await watch(app.url, await headersOf('lea'))).response.status).toBe(200)
  for (const stream of streams) await stream[Symbol.asyncDispose]()
  await expect.poll(async () => (await open()).response.status, { timeout: 10_000 }).toBe(200)
})

test('events are skipped and counted for a reader that stops reading, and others are unaffected', async () => {
  const headers = await headersOf('sam')
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /platform/requests HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-api-key: ${headers['x-api-key']}\r\naccept: text/event-stream\r\n\r\n`,
  )
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await expect.poll(() => received).toContain('retry:')
  socket.pause()
  await using reader = await watch(app.url, headers)
  const large = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`x-${n}`, 'v'.repeat(300)]))
  const count = 800 // 12 MB, more than the buffers of the stream and of both sockets hold
  for (let sent = 0; sent < count; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => refused({ ...headers, ...large })))
  const seen = () => reader.requests.length + reader.skipped.reduce((sum, skipped) => sum + skipped, 0)
  await expect.poll(seen, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  socket.resume()
  await expect.poll(() => /event: skipped\ndata: \{"count":\d+\}/.test(received), { timeout: 60_000 }).toBe(true)
  expect(received.match(/event: request/g)?.length).toBeLessThan(count)
  socket.destroy()
})

test('in production nothing is recorded, and streams end when the node stops', async () => {
  const node = await startTestApp({ services: [operating, example], databaseUrl: app.databaseUrl })
  const headers = await headersOf('ada', undefined, node)
  await createNote(headers, { title: 'before', text: '' }, '', node)
  await using stream = await watch(node.url, headers)
  await createNote(headers, { title: 'during', text: '' }, '', node)
  await expect.poll(() => stream.text()).toContain('during')
  expect(stream.text()).not.toContain('before')
  const response = await fetch(`${node.url}/platform/requests`, { headers })
  expect(await response.json()).toEqual({ value: [], recorded: false })
  const began = performance.now()
  await node[Symbol.asyncDispose]()
  expect(performance.now() - began, 'without waiting for the grace period').toBeLessThan(2_500)
  await expect.poll(() => stream.isEnded()).toBe(true)
})
