import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { client, upload } from '@icosa/client'
import { bytes, multipart, stream, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { implement, ok, withPreparation } from '../../implement.ts'
import type { Service } from '../../service.ts'

const { post } = keyed('X-Key')
const Got = Type.Object({ said: Type.String() })
const octets = ['application/octet-stream']
const contract = {
  takeBytes: post('/bytes', {
    summary: '',
    body: bytes({ types: ['image/*', 'application/zip'], maxBytes: 2_000_000 }),
    replies: { 200: Got },
  }),
  takeStream: post('/stream', { summary: '', body: stream({ types: octets, maxBytes: 1_000 }), replies: { 200: Got } }),
  takeMeasured: post('/measured', {
    summary: '',
    body: stream({ types: octets, maxBytes: 1_000, lengthRequired: true }),
    replies: { 200: Got },
  }),
  takeForm: post('/form', {
    summary: '',
    body: multipart('Form', {
      title: Type.String({ maxLength: 20 }),
      count: Type.Optional(Type.Integer()),
      picture: Type.Optional(bytes({ types: ['image/png'], maxBytes: 100 })),
      pages: Type.Optional(Type.Array(bytes({ types: ['text/plain'] }))),
    }),
    replies: { 200: Got },
  }),
  takeArchive: post('/archive', {
    summary: '',
    body: multipart('Archive', { title: Type.String(), archive: stream({ types: octets, maxBytes: 1_000_000 }) }),
    replies: { 200: Got },
  }),
  takeMuch: post('/much', { summary: '', body: Got, maxBytes: 3_000_000, replies: { 200: Got } }),
}

let ended: unknown[] = []
let received = 0
const said = (value: unknown) => ok({ said: JSON.stringify(value) })

async function drain(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  try {
    for await (const piece of body) {
      size += piece.length
      received = size
    }
    ended.push(size)
    return size
  } catch (error) {
    ended.push((error as Error).message)
    throw error
  }
}

const service: Service = {
  name: 'streams',
  title: 'Streams',
  moves: 'withRows',
  apis: [
    {
      dialect: keyedServer({ name: 'streams', headers: ['X-Key'] }),
      resources: {
        streams: implement(contract, {
          takeBytes: async ({ body }) => said([body.mediaType, body.content.length]),
          takeStream: withPreparation(
            async ({ body }) => [body.size ?? null, await drain(body)],
            async (_, __, parts) => said(parts),
          ),
          takeMeasured: withPreparation(
            async ({ body }) => [body.size, await drain(body)],
            async (_, __, parts) => said(parts),
          ),
          async takeForm({ body: { title, count, picture, pages = [] } }) {
            const shown = [picture?.fileName, picture?.content.length, ...pages.map(({ content }) => String(content))]
            return said([title, count, ...shown])
          },
          takeArchive: withPreparation(
            async ({ body: { title, archive } }) => [title, archive.fileName, await drain(archive)],
            async (_, __, parts) => said(parts),
          ),
          takeMuch: async ({ body }) => said(body.said.length),
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
beforeEach(() => {
  ended = []
  received = 0
})

const call = () => client(contract, { baseUrl: `${app.url}/streams`, headers: { 'x-key': key } })
async function send(path: string, type: string, body: string | Uint8Array) {
  const headers = { 'x-key': key, ...(type && { 'content-type': type }) }
  const answer = await fetch(`${app.url}/streams${path}`, { method: 'POST', headers, body: Buffer.from(body) })
  const { said: parts, error } = (await answer.json()) as { said?: string; error?: { message: string } }
  return [answer.status, parts === undefined ? error?.message : JSON.parse(parts)]
}

const boundary = 'xyz'
const form = `multipart/form-data; boundary=${boundary}`
const part = (head: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const filePart = (name: string, fileName: string, type: string, content: string) =>
  part(`name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}`, content)
const end = `--${boundary}--\r\n`

test('a byte body is accepted by its media type and size', async () => {
  expect(await send('/bytes', 'image/png; x=1', '123')).toEqual([200, ['image/png', 3]])
  expect(await send('/bytes', 'application/zip', Buffer.alloc(1_999_999))).toEqual([
    200,
    ['application/zip', 1_999_999],
  ])
  expect(await send('/bytes', 'application/zip', Buffer.alloc(2_000_001))).toEqual([413, expect.anything()])
  for (const type of ['text/plain', '', 'imagex/png'])
    expect(await send('/bytes', type, 'x'), type).toEqual([415, expect.stringContaining('image/* or application/zip')])
  const { body } = await call().takeBytes({ body: { mediaType: 'image/gif', content: new Uint8Array(5) } })
  expect(body.said).toBe('["image/gif",5]')
  expect(await send('/much', 'application/json', JSON.stringify({ said: 'x'.repeat(2_900_000) }))).toEqual([
    200, 2_900_000,
  ])
  expect(await send('/much', 'application/json', JSON.stringify({ said: 'x'.repeat(3_000_000) }))).toEqual([
    413,
    expect.anything(),
  ])
})

test('a stream is read as it arrives, and refused by media type, declared length and actual length', async () => {
  expect(await send('/stream', octets[0] as string, 'x'.repeat(1_000))).toEqual([200, [1_000, 1_000]])
  expect(await send('/stream', octets[0] as string, 'x'.repeat(1_001))).toEqual([413, expect.anything()])
  expect(await send('/stream', 'text/html', 'x')).toEqual([415, expect.anything()])
  const pieces = (count: number) =>
    upload(Readable.from(Array.from({ length: count }, () => Buffer.alloc(100))), octets[0] as string)
  expect((await call().takeStream({ body: pieces(10) })).body.said).toBe('[null,1000]')
  await expect(call().takeStream({ body: pieces(11) })).rejects.toMatchObject({ status: 413 })
  await expect(call().takeMeasured({ body: pieces(1) })).rejects.toMatchObject({ status: 411 })
  const { body } = await call().takeMeasured({ body: upload(new Blob(['12345']), octets[0] as string) })
  expect(body.said).toBe('[5,5]')
})

test('a form has texts and files, each with its own limits', async () => {
  const picture = { mediaType: 'image/png', content: new Uint8Array(7), fileName: 'ä.png' }
  const pages = ['one', 'two'].map((text) => ({ mediaType: 'text/plain', content: Buffer.from(text) }))
  const { body } = await call().takeForm({ body: { title: 'T', count: 3, picture, pages } })
  expect(JSON.parse(body.said)).toEqual(['T', 3, 'ä.png', 7, 'one', 'two'])

  const title = part('name="title"', 'T')
  const ofPicture = (content: string, type = 'image/png', name = 'a.png') =>
    title + filePart('picture', name, type, content) + end
  expect(await send('/form', form, ofPicture('x'.repeat(101)))).toEqual([413, expect.anything()])
  expect(await send('/form', form, ofPicture('x', 'image/gif'))).toEqual([415, expect.anything()])
  expect(await send('/form', form, title + part('name="picture"', 'x') + end)).toEqual([
    400,
    'body/picture must be a file',
  ])
  expect(await send('/form', form, filePart('title', 'a', 'image/png', 'x') + title + end)).toEqual([
    400,
    'body/title is not a file of this form',
  ])
  expect(await send('/form', form, part('name="title"', 'a\0') + end)).toEqual([400, expect.stringContaining('NUL')])
  expect(await send('/form', form, part('name="count"', '1') + end)).toEqual([400, 'body/title is required'])
  for (const name of ['../../etc/passwd', '..', '/etc/passwd', 'C:\\\\x\\\\passwd'])
    expect(await send('/form', form, ofPicture('x', 'image/png', name)), name).toEqual([
      200,
      ['T', null, expect.stringMatching(/^(passwd)?$/), 1],
    ])
})

test('hostile forms are refused cheaply', async () => {
  const title = part('name="title"', 'T')
  const wrong = (says: string) => [400, expect.stringContaining(says)]
  const many = Array.from({ length: 10_000 }, (_, index) => part(`name="f${index}"`, 'x')).join('')
  expect(await send('/form', form, many + end)).toEqual(wrong('more than 500 parts'))
  expect(await send('/form', form, part('filename="x"', 'x') + end)).toEqual(wrong('a part without a name'))
  expect(await send('/form', form, part('name=""', 'x') + end)).toEqual(wrong('a part without a name'))
  expect(await send('/form', form, part(`name="${'n'.repeat(1_000)}"`, 'x') + end)).toEqual(wrong('longer than 200'))
  expect((await send('/form', form, part(`name="${'n'.repeat(1_000_000)}"`, 'x') + title + end))[0]).toBeOneOf([
    200, 400, 413,
  ])
  const inner = `--abc\r\nContent-Disposition: form-data; name="title"\r\n\r\nInner\r\n--abc--\r\n`
  const nested = part('name="other"\r\nContent-Type: multipart/mixed; boundary=abc', inner)
  expect(await send('/form', form, nested + title + end)).toEqual([400, 'body/other is unknown'])
  expect(await send('/form', `multipart/form-data; boundary=${'b'.repeat(71)}`, end)).toEqual(wrong('boundary longer'))
  expect(await send('/form', 'multipart/form-data', end)).toEqual([415, expect.anything()])
  expect(await send('/form', 'application/json', '{}')).toEqual([415, expect.anything()])
  expect(await send('/form', form, title)).toEqual(wrong('is not multipart/form-data'))
  expect(await send('/form', form, 'nothing of the kind')).toEqual([400, expect.anything()])
  expect(await send('/form', form, '')).toEqual([400, expect.anything()])
  expect(await send('/form', form, title + part('name="x"', 'x'.repeat(1_100_000)) + end)).toEqual([
    413,
    expect.anything(),
  ])
})

test('forms that make a parser hang or throw outside a request are refused', async () => {
  const line = `--${boundary}\r\n`
  for (const path of ['/form', '/archive'])
    for (const wrongForm of [
      `\r\n--${boundary}1\r\n--${boundary}--`, // a part with unterminated headers
      line.repeat(600), // more parts than allowed, the last one truncated
      `${part('name="title"', 'T')}${line}${'x'.repeat(200_000)}`, // endless headers
      `${part('name="title"', 'T')}${line}Content-Disposition: form-data; name="x"\r\n\r\n${'x'.repeat(200_000)}`,
    ])
      expect((await send(path, form, wrongForm))[0], JSON.stringify(wrongForm.slice(0, 100))).toBe(400)
})

test('a form with a streamed file passes it on, and must have it last', async () => {
  const title = part('name="title"', 'T')
  const archive = filePart('archive', 'a.zip', octets[0] as string, 'x'.repeat(500_000))
  expect(await send('/archive', form, title + archive + end)).toEqual([200, ['T', 'a.zip', 500_000]])
  expect(await send('/archive', form, archive + title + end)).toEqual([400, 'body/title is required'])
  const after = title + archive + part('name="more"', 'x') + end
  expect(await send('/archive', form, after)).toEqual([400, expect.stringContaining('must be last')])
  expect(await send('/archive', form, title + archive)).toEqual([400, expect.anything()])
  const large = filePart('archive', 'a.zip', octets[0] as string, 'x'.repeat(1_000_001))
  expect(await send('/archive', form, title + large + end)).toEqual([413, expect.anything()])
})

/** Starts a raw request, and disconnects once the handler has begun to read. */
async function leave(path: string, head: readonly string[], body: string): Promise<void> {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write([`POST /streams${path} HTTP/1.1`, 'Host: a', `X-Key: ${key}`, ...head, '', body].join('\r\n'))
  await expect.poll(() => received).toBeGreaterThan(0)
  socket.destroy()
  await expect.poll(() => ended).toHaveLength(1)
}

test('a client that disconnects midway ends the reading of its stream', async () => {
  const type = `Content-Type: ${octets[0]}`
  const broken = ['The connection ended before the body did.']
  await leave('/stream', [type, 'Content-Length: 900'], 'only this')
  expect(ended).toEqual(broken)
  ended = []
  received = 0
  await leave('/stream', [type, 'Transfer-Encoding: chunked'], '5\r\nhello\r\n')
  expect(ended).toEqual(broken)
  ended = []
  received = 0
  const begun = part('name="title"', 'T') + filePart('archive', 'a', octets[0] as string, 'x'.repeat(90_000))
  await leave('/archive', [`Content-Type: ${form}`, 'Content-Length: 900000'], begun.slice(0, -2))
  expect(ended).toEqual(broken)
})
