import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { download } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { file, implement, media } from '../../implement.ts'
import type { Service } from '../../service.ts'

const { get } = keyed('X-Key')
const octets = ['application/octet-stream']
const contract = {
  give: get('/file', { summary: '', replies: { 200: download({ types: octets }) } }),
  givePage: get('/page', { summary: '', replies: { 200: download({ types: ['text/html'] }) } }),
  giveOwnPage: get('/own-page', { summary: '', replies: { 200: download({ types: ['text/html'] }) } }),
  giveEndless: get('/endless', { summary: '', replies: { 200: download({ types: octets }) } }),
}

const digits = Buffer.from('0123456789')
const source = {
  size: 10,
  mediaType: 'application/octet-stream',
  etag: 'abc',
  modifiedAt: new Date('2026-01-02T03:04:05.678Z'),
  fileName: '"ä".bin',
  open: ({ start, end }: { start: number; end: number }) => Readable.from([digits.subarray(start, end + 1)]),
}
let bytes = 0

const service: Service = {
  name: 'files',
  title: 'Files',
  moves: 'withRows',
  apis: [
    {
      dialect: keyedServer({ name: 'files', headers: ['X-Key'] }),
      resources: {
        files: implement(contract, {
          give: async () => file(source),
          givePage: async () => media('text/html', '<script>alert(1)</script>'),
          giveOwnPage: async () => media('text/html', '<p>', { 'content-security-policy': "script-src 'self'" }),
          async giveEndless() {
            bytes = 0
            async function* pieces() {
              for (; bytes < 1_000_000_000; bytes += 65_536) yield Buffer.alloc(65_536)
            }
            return media('application/octet-stream', Readable.from(pieces(), { highWaterMark: 1 }))
          },
        }),
      },
    },
  ],
}

let app: TestApp
let key = ''
beforeAll(async () => {
  app = await startTestApp(service)
  key = await app.key('ada')
})
afterAll(() => app[Symbol.asyncDispose]())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${app.url}/files${path}`, { method, headers: { 'x-key': key, ...headers } })

test('a file is returned whole, in part, or as not modified', async () => {
  const whole = await ask('/file')
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="___.bin"; filename*=UTF-8''%22%C3%A4%22.bin`,
    'content-length': '10',
    etag: '"abc"',
    'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  })
  const head = await ask('/file', {}, 'HEAD')
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '10'])

  const ranges: [string, number, string][] = [
    ['bytes=2-4', 206, '234'],
    ['bytes=8-', 206, '89'],
    ['bytes=-3', 206, '789'],
    ['bytes=-99', 206, '0123456789'],
    ['bytes=5-999', 206, '56789'],
    ['bytes=10-', 416, ''],
    ['bytes=-0', 416, ''],
    ...[
      'bytes=4-2',
      'bytes=0-1,3-4',
      'bytes=-',
      'bytes=a-b',
      'lines=1-2',
      'bytes',
      `bytes=${'9'.repeat(40)}-`,
      'bytes=0-1 '.repeat(500),
    ].map((range): [string, number, string] => [range, 200, '0123456789']),
  ]
  for (const [range, status, text] of ranges) {
    const answer = await ask('/file', { range })
    expect([answer.status, await answer.text()], range).toEqual([status, text])
  }
  const conditions: [Record<string, string>, number][] = [
    [{ 'if-none-match': '"abc"' }, 304],
    [{ 'if-none-match': '"x", W/"abc"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-match': '"abc"' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-none-match': '"x"', 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' }, 200],
    [{ 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' }, 304],
    [{ 'if-modified-since': 'Fri, 02 Jan 2026 03:04:04 GMT' }, 200],
    [{ 'if-modified-since': 'never' }, 200],
    [{ range: 'bytes=0-1', 'if-range': '"abc"' }, 206],
    [{ range: 'bytes=0-1', 'if-range': 'Fri, 02 Jan 2026 03:04:05 GMT' }, 206],
    [{ range: 'bytes=0-1', 'if-range': '"x"' }, 200],
  ]
  for (const [headers, status] of conditions) {
    const answer = await ask('/file', headers)
    await answer.arrayBuffer()
    expect(answer.status, JSON.stringify(headers)).toBe(status)
  }
})

test('any reply but JSON is sandboxed unless it has its own policy', async () => {
  const policyOf = async (path: string) => {
    const { headers, body } = await ask(path)
    await body?.cancel()
    return [headers.get('content-security-policy'), headers.get('x-content-type-options')]
  }
  const sandboxed = ["sandbox; default-src 'none'", 'nosniff']
  for (const path of ['/file', '/page', '/endless']) expect(await policyOf(path), path).toEqual(sandboxed)
  expect(await policyOf('/own-page')).toEqual(["script-src 'self'", 'nosniff'])
})

test('a client that reads nothing causes backpressure, and one that disconnects ends the stream', async () => {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /files/endless HTTP/1.1\r\nHost: a\r\nX-Key: ${key}\r\n\r\n`)
  await once(socket, 'readable') // reads nothing more
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = bytes === before
        before = bytes
        return isStill
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(true)
  expect(bytes).toBeLessThan(50_000_000) // capacity of the system's own buffers
  socket.destroy()
})
