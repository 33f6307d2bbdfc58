import { hash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Signer } from './fetch.ts'
import { type Draft, draft, signInHeader } from './testing/request.ts'
import { shop } from './testing/shop.ts'

// What clients in other languages send, byte for byte.

let app: TestApp
let signer: Signer
const path = `/shop/books/${encodeURIComponent('arn:aws:book-shop:us-east-1:acme:book/1')}`
const body = '{"Note":"a good one"}'

beforeAll(async () => {
  app = await startTestApp(shop)
  signer = { ...(await app.signingSecret('acme')), region: 'us-east-1', service: 'book-shop' }
})
afterAll(() => app[Symbol.asyncDispose]())

interface Wire {
  readonly version?: '1.0' | '1.1'
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
  /** Waits for an interim response before the body. */
  readonly isPatient?: boolean
}

/** Returns everything that the node sends until it closes the connection. */
async function talk(request: Draft, { version = '1.1', headers = [], body = '', isPatient }: Wire): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  const lines = [...request.headers.map(([name, value]) => `${name}: ${value}`), 'Connection: close', ...headers]
  socket.write(`${request.method} ${request.target} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`)
  if (isPatient) await once(socket, 'data')
  socket.write(body)
  await once(socket, 'close')
  return text
}

const signed = (text = body, headers: Draft['headers'] = []) =>
  signInHeader({ ...draft('PUT', path, text), headers }, app.url, signer)
const length = (bytes: string | Uint8Array) => `Content-Length: ${Buffer.byteLength(bytes)}`
const json = 'Content-Type: application/json'
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const accepted = /^HTTP\/1\.1 200 OK[\s\S]*"Note":"a good one"/

test('takes the forms of a request that HTTP allows', async () => {
  const plain = { headers: [json, length(body)], body }
  expect(await talk(signed(), plain)).toMatch(accepted)
  expect(await talk(signed(), { ...plain, version: '1.0' }), 'HTTP/1.0').toMatch(accepted)
  const shouting = { ...signed(), headers: signed().headers.map(([name, value]) => [name.toUpperCase(), value]) }
  expect(await talk(shouting as Draft, plain), 'header names in capitals').toMatch(accepted)
  const parts = { headers: [json, 'Transfer-Encoding: chunked'], body: chunked(body) }
  expect(await talk(signed(), parts), 'chunked, without a length').toMatch(accepted)
})

test('asks for the body of a client that waits, and then answers', async () => {
  const headers = [json, length(body), 'Expect: 100-continue']
  expect(await talk(signed(), { headers, body, isPatient: true })).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
  )
})

test('closes the connection of a client that asks for it, and says so', async () => {
  expect(await talk(signed(), { headers: [json, length(body)], body })).toMatch(/\r\nconnection: close\r\n/i)
})

test('a compressed body, and the signature of each chunk, are refused with their names', async () => {
  const bytes = gzipSync(body)
  const plain: Draft = { ...draft('PUT', path), headers: [['content-encoding', 'gzip']] }
  const compressed = signInHeader(plain, app.url, signer, { payloadHash: hash('sha256', bytes) })
  const answer = await talk(compressed, { headers: [json, length(bytes)], body: bytes })
  expect(answer).toMatch(/^HTTP\/1\.1 415 [\s\S]*gzip is not read/)

  const streaming = signed(body, [['x-amz-content-sha256', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER']])
  const trailed = `${chunked(body).trimEnd()}\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n`
  const refusal = await talk(streaming, {
    headers: [json, length(trailed), 'Content-Encoding: aws-chunked'],
    body: trailed,
  })
  expect(refusal).toMatch(/^HTTP\/1\.1 403 [\s\S]*X-Amz-Content-Sha256 is not the hash of the body/)
})

test('a client whose clock is wrong can correct it: the name of the error and the time are in the answer', async () => {
  const late = signInHeader(draft('GET', path), app.url, signer, { at: new Date(Date.now() - 3_600_000) })
  const answer = await talk(late, {})
  expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  expect(answer).toMatch(/\r\nx-amzn-errortype: InvalidSignatureException\r\n/)
  const [, date = ''] = /\r\ndate: ([^\r]+)/i.exec(answer) ?? []
  expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000)
})
