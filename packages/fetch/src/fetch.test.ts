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
let fetch: ReturnType<typeof fetching>
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
  fetch = fetching()
  origin = `http://127.0.0.2:${site.port}`
})

afterEach(async () => {
  expect(watch.dialled.filter((address) => !/^(127\.|::1$)/.test(address))).toEqual([])
  for (let tries = 0; tries < 50 && site.connections() > 0; tries++) await pause(10)
  expect(site.connections()).toBe(0)
})

afterAll(async () => {
  await fetch.close()
  for (const server of [site, elsewhere, names]) server.close()
  watch.remove()
})

test('a page is fetched', async () => {
  const { status, url, headers, body } = await fetch(`${origin}/echo?a=1`)
  expect(status).toBe(200)
  expect(url).toBe(`${origin}/echo?a=1`)
  expect(headers.get('date')).toMatch(/GMT$/)
  expect(body).toBeInstanceOf(Uint8Array)
  expect((await fetch(`${origin}/missing`)).status).toBe(404)
})

test('a body is posted, as text or as bytes', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Signature': 'abc' }
  const posted = await echo('/echo', { method: 'POST', headers, body: '{"ä":1}' })
  expect(posted).toMatchObject({ method: 'POST', body: '{"ä":1}' })
  expect(posted.headers).toMatchObject({
    'content-type': 'application/json',
    'x-signature': 'abc',
    connection: 'close',
  })
  expect((await echo('/echo', { method: 'PUT', body: Buffer.from('bytes') })).body).toBe('bytes')
})

test('compressed answers come decoded, those in an unknown coding do not come', async () => {
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

test('a name is dialled at the address that was checked, under its own name', async () => {
  for (const host of ['pinned.test', 'PINNED.Test.', 'p%69nned.test']) {
    const { at, headers } = await echo(`http://${host}:${site.port}/echo`)
    expect([at, headers.host]).toEqual(['127.0.0.2', `pinned.test:${site.port}`])
  }
  expect((await echo(`http://bücher.test:${site.port}/echo`)).headers.host).toBe(`xn--bcher-kva.test:${site.port}`)
})

test('over TLS the server is asked for by name too, and a handshake that hangs ends with the caller', async () => {
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

test('a checked address that does not answer gives way to the next checked one', async () => {
  expect((await echo(`http://both.test:${site.port}/echo`)).at).toBe('127.0.0.2')
})

test('localhost is the loopback the operator allows', async () => {
  const local = await loopbackSite('127.0.0.1')
  const home = fetching({ allow: ['127.0.0.1/32'] })
  const { body } = await home(`http://app.localhost:${local.port}/echo`)
  expect(JSON.parse(new TextDecoder().decode(body)).at).toBe('127.0.0.1')
  await expect(home(`${origin}/echo`)).rejects.toThrow(/'127\.0\.0\.2' .* ICOSA_FETCH_ALLOW/)
  local.close()
})

test('redirects are followed, and a post becomes a get where browsers do so', async () => {
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

test('keys stay at home when a redirect leads to another origin, even one that leads back', async () => {
  const headers = { Authorization: 'Bearer x', COOKIE: 'a=b', 'X-Api-Key': 'k', Accept: 'text/html' }
  const foreign = `http://127.0.0.3:${elsewhere.port}`
  const back = `${foreign}/redirect?to=${encodeURIComponent(`${origin}/echo`)}`
  for (const to of [`${foreign}/echo`, back, `http://pinned.test:${site.port}/echo`]) {
    const seen = await echo(`/redirect?to=${encodeURIComponent(to)}`, { headers })
    expect(Object.keys(seen.headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  }
  expect((await echo('/redirect?to=/echo', { headers })).headers).toMatchObject({
    authorization: 'Bearer x',
    cookie: 'a=b',
  })
})

test('the rest of a redirecting answer is not waited for', async () => {
  expect((await echo('/rambling')).method).toBe('GET')
})

test('redirects are counted, or handed back when asked', async () => {
  await expect(fetch(`${origin}/redirect?to=`)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/limit of 5 redirects/),
  })
  await expect(fetching({ maxRedirects: 0 })(`${origin}/redirect?to=/echo`)).rejects.toMatchObject({
    kind: 'unavailable',
  })
  const { status, headers } = await fetch(`${origin}/redirect?status=307&to=/echo`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([307, '/echo'])
  await expect(fetch(`${origin}/redirect?to=file:///etc/passwd`)).rejects.toMatchObject({ kind: 'invalid' })
})

test('an answer is cut off at its size: endless, unfolding, hollow, or all headers', async () => {
  for (const page of ['/endless', '/bomb', '/hollow', '/wide']) {
    await expect(fetch(origin + page, { maxBytes: 100_000 }), page).rejects.toMatchObject({ kind: 'tooLarge' })
  }
  expect((await fetch(`${origin}/bomb`, { maxBytes: 1024 * 1024 })).body.byteLength).toBe(1024 * 1024)
})

test('one deadline covers the name, the wait, every redirect and the body', async () => {
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

test('a caller can give up, and closing gives everything up', async () => {
  const reason = new Error('enough')
  await expect(fetch(`${origin}/drip`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const control = new AbortController()
  setTimeout(() => control.abort(reason), 50)
  await expect(fetch(`${origin}/drip`, { signal: control.signal })).rejects.toBe(reason)
  const closing = fetching()
  const dripping = expect(closing(`${origin}/drip`)).rejects.toMatchObject({
    message: expect.stringMatching(/shutting down/),
  })
  await pause(50)
  await closing.close()
  await dripping
  await expect(closing(`${origin}/echo`)).rejects.toMatchObject({ message: expect.stringMatching(/shutting down/) })
})

test('what is not there is unavailable, what cannot be sent is invalid', async () => {
  for (const url of [`http://nowhere.test:${site.port}/`, 'http://127.0.0.2:1/', `${origin}/broken`]) {
    await expect(fetch(url), url).rejects.toMatchObject({ kind: 'unavailable' })
  }
  for (const headers of [{ Host: 'other.test' }, { 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { upgrade: 'websocket' }]) {
    await expect(fetch(`${origin}/echo`, { headers })).rejects.toMatchObject({ kind: 'invalid' })
  }
})

function fetching(options: GuardedFetchOptions = {}) {
  const allow = ['127.0.0.2/31', '::1/128']
  return guardedFetch({ allow, nameServers: [names.address], ...options })
}

async function echo(url: string, request?: OutboundRequest): Promise<Echo> {
  const { body } = await fetch(url.startsWith('/') ? origin + url : url, request)
  return JSON.parse(new TextDecoder().decode(body))
}
