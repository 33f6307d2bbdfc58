import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { OutboundRequest } from '@icosa/kernel'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type GuardedFetchOptions, guardedFetch } from './fetch.ts'
import { loopbackSite, type Site } from './testing/loopback-site.ts'
import { type NameServer, nameServer } from './testing/name-server.ts'
import { type Wall, wall } from './testing/wall.ts'

interface Echo {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly at: string
  readonly body: string
}

let site: Site
let elsewhere: Site
let names: NameServer
let watch: Wall
let fetch: ReturnType<typeof openFetch>
let origin: string

beforeAll(async () => {
  watch = wall()
  site = await loopbackSite('127.0.0.2')
  elsewhere = await loopbackSite('127.0.0.3')
  names = await nameServer((name) => {
    if (name === 'silent.test') return 'silence'
    if (name === 'pinned.test' || name === 'xn--bcher-kva.test') return { addresses: ['127.0.0.2'] }
    if (name === 'both.test') return { addresses: ['::1', '127.0.0.2'] }
    return undefined
  })
  fetch = openFetch()
  origin = `http://127.0.0.2:${site.port}`
})

afterEach(async () => {
  expect(watch.dialled.filter((address) => !/^(127\.|::1$)/.test(address))).toEqual([])
  for (let attempts = 0; attempts < 50 && site.connections() > 0; attempts++) await pause(10)
  expect(site.connections()).toBe(0)
})

afterAll(async () => {
  await fetch.close()
  for (const server of [site, elsewhere, names]) server.close()
  watch.remove()
})

test('fetches a page', async () => {
  const { status, url, headers, body } = await fetch(`${origin}/echo?a=1`)
  expect(status).toBe(200)
  expect(url).toBe(`${origin}/echo?a=1`)
  expect(headers.get('date')).toMatch(/GMT$/)
  expect(body).toBeInstanceOf(Uint8Array)
  expect((await fetch(`${origin}/missing`)).status).toBe(404)
})

test('posts a body, as text or as bytes', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Signature': 'abc' }
  const request = await echo('/echo', { method: 'POST', headers, body: '{"ä":1}' })
  expect(request).toMatchObject({ method: 'POST', body: '{"ä":1}' })
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'x-signature': 'abc',
    connection: 'close',
  })
  expect((await echo('/echo', { method: 'PUT', body: Buffer.from('bytes') })).body).toBe('bytes')
})

test('compressed responses are decoded, unknown codings refused', async () => {
  for (const coding of ['gzip', 'deflate', 'br']) {
    const { body, headers } = await fetch(`${origin}/compressed?as=${coding}`)
    expect(new TextDecoder().decode(body)).toBe('the same words')
    expect(headers.has('content-encoding')).toBe(false)
    const head = await fetch(`${origin}/compressed?as=${coding}`, { method: 'HEAD' })
    expect([head.body.byteLength, head.headers.get('content-encoding')]).toEqual([0, coding])
  }
  await expect(fetch(`${origin}/compressed?as=zstd`)).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(fetch(`${origin}/compressed?as=gzip,gzip`)).rejects.toMatchObject({ kind: 'unavailable' })
})

test('connects to the checked address of a name, with the name in Host', async () => {
  for (const host of ['pinned.test', 'PINNED.Test.', 'p%69nned.test']) {
    const { at, headers } = await echo(`http://${host}:${site.port}/echo`)
    expect([at, headers.host]).toEqual(['127.0.0.2', `pinned.test:${site.port}`])
  }
  expect((await echo(`http://bücher.test:${site.port}/echo`)).headers.host).toBe(`xn--bcher-kva.test:${site.port}`)
})

test('sends the server name over TLS, and aborts a hanging handshake with the caller', async () => {
  const giveUp = new AbortController()
  const server = createServer().listen(0, '127.0.0.2')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const failing = expect(fetch(`https://pinned.test.:${port}/`, { signal: giveUp.signal })).rejects.toThrow(/aborted/)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [hello] = await once(socket, 'data')
  expect(hello.toString('latin1')).toContain('\0\x0bpinned.test\0')
  giveUp.abort()
  await Promise.all([failing, once(socket, 'close')])
  server.close()
})

test('falls back to the next checked address', async () => {
  expect((await echo(`http://both.test:${site.port}/echo`)).at).toBe('127.0.0.2')
})

test('localhost is the loopback address that the operator allows', async () => {
  const local = await loopbackSite('127.0.0.1')
  const home = openFetch({ allow: ['127.0.0.1/32'] })
  const { body } = await home(`http://app.localhost:${local.port}/echo`)
  expect(JSON.parse(new TextDecoder().decode(body)).at).toBe('127.0.0.1')
  await expect(home(`${origin}/echo`)).rejects.toThrow(/'127\.0\.0\.2' .* ICOSA_FETCH_ALLOW/)
  local.close()
})

test('follows redirects, and turns POST into GET as browsers do', async () => {
  const post = { method: 'POST', headers: { 'content-type': 'text/plain', 'x-key': 'k' }, body: 'hello' } as const
  for (const status of [301, 302, 303]) {
    const { method, body, headers } = await echo(`/redirect?status=${status}&to=/echo`, post)
    expect({ method, body }).toEqual({ method: 'GET', body: '' })
    expect([headers['content-type'], headers['content-length'], headers['x-key']]).toEqual([undefined, undefined, 'k'])
  }
  for (const status of [307, 308]) {
    const { method, body, headers } = await echo(`/redirect?status=${status}&to=/echo`, post)
    expect({ method, body, type: headers['content-type'] }).toEqual({
      method: 'POST',
      body: 'hello',
      type: 'text/plain',
    })
  }
  expect((await fetch(`${origin}/redirect?to=/echo`)).url).toBe(`${origin}/echo`)
})

test('credentials are not sent after a redirect to another origin, even if it leads back', async () => {
  const headers = { Authorization: 'Bearer x', COOKIE: 'a=b', 'X-Api-Key': 'k', Accept: 'text/html' }
  const foreign = `http://127.0.0.3:${elsewhere.port}`
  const back = `${foreign}/redirect?to=${encodeURIComponent(`${origin}/echo`)}`
  for (const to of [`${foreign}/echo`, back, `http://pinned.test:${site.port}/echo`]) {
    const request = await echo(`/redirect?to=${encodeURIComponent(to)}`, { headers })
    expect(Object.keys(request.headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  }
  expect((await echo('/redirect?to=/echo', { headers })).headers).toMatchObject({
    authorization: 'Bearer x',
    cookie: 'a=b',
  })
})

test('does not wait for the body of a redirect', async () => {
  expect((await echo('/rambling')).method).toBe('GET')
})

test('limits redirects, or returns them on request', async () => {
  await expect(fetch(`${origin}/redirect?to=`)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/limit of 5 redirects/),
  })
  await expect(openFetch({ maxRedirects: 0 })(`${origin}/redirect?to=/echo`)).rejects.toMatchObject({
    kind: 'unavailable',
  })
  const { status, headers } = await fetch(`${origin}/redirect?status=307&to=/echo`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([307, '/echo'])
  await expect(fetch(`${origin}/redirect?to=file:///etc/passwd`)).rejects.toMatchObject({ kind: 'invalid' })
})

test('limits the size of responses: endless, expanding, empty, or all headers', async () => {
  for (const page of ['/endless', '/bomb', '/hollow', '/wide']) {
    await expect(fetch(origin + page, { maxBytes: 100_000 }), page).rejects.toMatchObject({ kind: 'tooLarge' })
  }
  expect((await fetch(`${origin}/bomb`, { maxBytes: 1024 * 1024 })).body.byteLength).toBe(1024 * 1024)
})

test('one deadline covers DNS, redirects and body', async () => {
  const slow = `/redirect?after=150&to=${encodeURIComponent('/redirect?after=150&to=/drip')}`
  for (const url of ['http://silent.test/', `${origin}/silent`, `${origin}/drip`, `${origin}${slow}`]) {
    const start = performance.now()
    await expect(fetch(url, { timeoutMs: 400 }), url).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/400 ms/),
    })
    expect(performance.now() - start).toBeGreaterThan(390)
  }
})

test('a caller can abort, and closing aborts all requests', async () => {
  const reason = new Error('enough')
  await expect(fetch(`${origin}/drip`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const control = new AbortController()
  setTimeout(() => control.abort(reason), 50)
  await expect(fetch(`${origin}/drip`, { signal: control.signal })).rejects.toBe(reason)
  const closing = openFetch()
  const dripping = expect(closing(`${origin}/drip`)).rejects.toMatchObject({
    message: expect.stringMatching(/shutting down/),
  })
  await pause(50)
  await closing.close()
  await dripping
  await expect(closing(`${origin}/echo`)).rejects.toMatchObject({ message: expect.stringMatching(/shutting down/) })
})

test('unreachable hosts are unavailable, unsendable headers are invalid', async () => {
  for (const url of [`http://nowhere.test:${site.port}/`, 'http://127.0.0.2:1/', `${origin}/broken`]) {
    await expect(fetch(url), url).rejects.toMatchObject({ kind: 'unavailable' })
  }
  for (const headers of [{ Host: 'other.test' }, { 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { upgrade: 'websocket' }]) {
    await expect(fetch(`${origin}/echo`, { headers })).rejects.toMatchObject({ kind: 'invalid' })
  }
})

function openFetch(options: GuardedFetchOptions = {}) {
  const allow = ['127.0.0.2/31', '::1/128']
  return guardedFetch({ allow, nameServers: [names.address], ...options })
}

async function echo(url: string, request?: OutboundRequest): Promise<Echo> {
  const { body } = await fetch(url.startsWith('/') ? origin + url : url, request)
  return JSON.parse(new TextDecoder().decode(body))
}
