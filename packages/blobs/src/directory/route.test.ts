import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentOf, mebibyte } from '../testing/conformance/subject.ts'
import { type DirectoryBlobs, directoryBlobs } from './directory.ts'
import { blobRoute } from './route.ts'

describe('the route for signed URLs', () => {
  let directory = ''
  let server: FastifyInstance
  let blobs: DirectoryBlobs
  const clock = { now: () => new Date('2030-01-01T00:00:00Z') }
  const signed = (method: 'GET' | 'PUT', key: string) => blobs.signedUrl(key, { method, expiresInSeconds: 60 })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blobs-'))
    server = fastify({ bodyLimit: 1000, exposeHeadRoutes: false, routerOptions: { caseSensitive: false } })
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    const publicUrl = () => `${server.listeningOrigin}/`
    blobs = await directoryBlobs({ directory, clock, signingKey: randomBytes(32), publicUrl })
    await server.register(blobRoute(blobs))
    await server.listen({ host: '127.0.0.1', port: 0 })
    await blobs.put('Digits', Buffer.from('0123456789'), { contentType: 'text/html' })
    await blobs.put('empty', new Uint8Array())
  })
  afterAll(async () => {
    await server.close()
    await rm(directory, { recursive: true })
  })

  test('answers HEAD with the headers of GET and no content', async () => {
    const url = await signed('GET', 'Digits')
    const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
    expect(head.headers.get('content-length')).toBe('10')
    expect(head.headers.get('last-modified')).toBe('Tue, 01 Jan 2030 00:00:00 GMT')
    expect((await fetch(await signed('PUT', 'Digits'), { method: 'HEAD' })).status).toBe(403)
  })

  test('sandboxes stored pages', async () => {
    const { headers } = await fetch(await signed('GET', 'Digits'))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  })

  test.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=3-', 206, '3456789', 'bytes 3-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-3', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
  ])('answers %s with %i', async (range, status, content, contentRange) => {
    const answer = await fetch(await signed('GET', 'Digits'), { headers: { range } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-length')).toBe(String(content.length))
    expect(await answer.text()).toBe(content)
  })

  test('answers any range of an empty object with 416', async () => {
    const url = await signed('GET', 'empty')
    for (const range of ['bytes=0-', 'bytes=-5']) expect((await fetch(url, { headers: { range } })).status).toBe(416)
    expect(await (await fetch(url)).text()).toBe('')
  })

  test('answers a range for another version of the object with the whole object', async () => {
    const url = await signed('GET', 'Digits')
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const status = async (ifRange: string) =>
      (await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': ifRange } })).status
    expect(await status(etag)).toBe(206)
    expect(await status('"another"')).toBe(200)
  })

  test('stores JSON, text and bodies above the usual limit unparsed', async () => {
    for (const contentType of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const url = await blobs.signedUrl('Upper/uploaded', { method: 'PUT', expiresInSeconds: 60, contentType })
      const body = `{not json ${'x'.repeat(2 * mebibyte)}`
      const answer = await fetch(url, { method: 'PUT', headers: { 'content-type': contentType }, body })
      expect(answer.status).toBe(200)
      const info = await blobs.head('Upper/uploaded')
      expect(info).toMatchObject({ contentType, size: body.length })
      expect(answer.headers.get('etag')).toBe(`"${info?.etag}"`)
      expect(await contentOf(blobs, 'Upper/uploaded')).toBe(body)
    }
  })

  test('stores nothing of an upload that the client aborts', async () => {
    const url = await signed('PUT', 'broken')
    const headers = { 'content-type': 'application/octet-stream', 'content-length': 10 * mebibyte }
    const upload = request(url, { method: 'PUT', headers })
    upload.on('error', () => {})
    upload.write(Buffer.alloc(mebibyte))
    const incoming = () => readdir(join(directory, 'incoming'))
    while ((await incoming()).length === 0) await setTimeout(10)
    upload.destroy()
    while ((await incoming()).length > 0) await setTimeout(10)
    expect(await blobs.head('broken')).toBeUndefined()
  })

  test('refuses URLs signed with another key, for another type, or not at all', async () => {
    const other = await directoryBlobs({
      directory,
      clock,
      signingKey: randomBytes(32),
      publicUrl: () => server.listeningOrigin,
    })
    const forged = await other.signedUrl('Digits', { method: 'GET', expiresInSeconds: 60 })
    const url = new URL(await signed('PUT', 'Digits'))
    url.searchParams.set('type', 'text/html')
    const put = { method: 'PUT', headers: { 'content-type': 'text/html' }, body: 'x' }
    expect((await fetch(forged)).status).toBe(403)
    expect((await fetch(url, put)).status).toBe(403)
    for (const path of ['Digits', 'Digits?signature=x', '%?method=GET', 'Digits?method=GET&expires=9999999999', '']) {
      const answer = await fetch(`${server.listeningOrigin}/_icosa/blobs/${path}`)
      expect([400, 403, 404]).toContain(answer.status)
      expect(await answer.text()).not.toContain('0123456789')
    }
    expect(await contentOf(blobs, 'Digits')).toBe('0123456789')
    const weak = { directory, clock, signingKey: randomBytes(16), publicUrl: () => '' }
    await expect(directoryBlobs(weak)).rejects.toMatchObject({ kind: 'invalid' })
  })
})
