import { expect, test } from 'vitest'
import { type Current, contentOf, fresh, mebibyte } from './subject.ts'

function altered(url: string, change: (url: URL) => void): string {
  const copy = new URL(url)
  change(copy)
  return copy.href
}

const refusals = [400, 403]

function lastCharacterChanged(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
}

export function describeSignedUrls(current: Current): void {
  test('a signed URL serves an object without credentials, whatever its key', async () => {
    const { blobs } = current()
    for (const name of ['plain', 'a b+c%20d?e#f&g=h', 'Ünïcode/日本/😀', "!'()*~;:@$,[]", '\\']) {
      const key = fresh(name)
      await blobs.put(key, Buffer.from(name), { contentType: 'text/plain' })
      const answer = await fetch(await blobs.signedUrl(key, { method: 'GET', expiresInSeconds: 60 }))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/plain')
      expect(answer.headers.get('etag')?.replaceAll('"', '')).toBe((await blobs.head(key))?.etag)
      expect(await answer.text()).toBe(name)
    }
  })

  test('a signed URL serves ranges', async () => {
    const { blobs } = current()
    const key = fresh()
    await blobs.put(key, Buffer.from('0123456789'))
    const url = await blobs.signedUrl(key, { method: 'GET', expiresInSeconds: 60 })
    const part = await fetch(url, { headers: { range: 'bytes=2-4' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10')
    expect(await part.text()).toBe('234')
    expect((await fetch(url, { headers: { range: 'bytes=10-' } })).status).toBe(416)
  })

  test('a signed URL of a missing object returns 404', async () => {
    const { blobs } = current()
    const answer = await fetch(await blobs.signedUrl(fresh(), { method: 'GET', expiresInSeconds: 60 }))
    expect(answer.status).toBe(404)
  })

  test('a modified signed URL is refused', async () => {
    const { blobs } = current()
    const folder = fresh('')
    for (const name of ['mine', 'mine2']) await blobs.put(folder + name, Buffer.from(name))
    const url = await blobs.signedUrl(`${folder}mine`, { method: 'GET', expiresInSeconds: 60 })
    expect((await fetch(url)).status).toBe(200)
    const query = (parameter: RegExp, change: (value: string) => string) =>
      altered(url, ({ searchParams }) => {
        const name = [...searchParams.keys()].find((key) => parameter.test(key)) ?? ''
        searchParams.set(name, change(searchParams.get(name) ?? ''))
      })
    const attempts = [
      query(/signature$/i, (signature) => (signature.startsWith('0') ? '1' : '0') + signature.slice(1)),
      query(/signature$/i, (signature) => signature.slice(0, -4)),
      query(/signature$/i, () => ''),
      query(/expires$/i, lastCharacterChanged),
      query(/expires$/i, (expires) => `${expires}0`),
      altered(url, (copy) => {
        copy.pathname += '2'
      }),
      altered(url, (copy) => {
        copy.search = ''
      }),
    ]
    for (const attempt of attempts) {
      expect(attempt).not.toBe(url)
      expect(refusals).toContain((await fetch(attempt)).status)
    }
  })

  test('an expired signed URL is refused', async () => {
    const { blobs, pass } = current()
    const key = fresh()
    await blobs.put(key, Buffer.from('content'))
    const readUrl = await blobs.signedUrl(key, { method: 'GET', expiresInSeconds: 2 })
    const writeUrl = await blobs.signedUrl(key, { method: 'PUT', expiresInSeconds: 2, contentType: 'text/plain' })
    expect((await fetch(readUrl)).status).toBe(200)
    await pass(4)
    expect((await fetch(readUrl)).status).toBe(403)
    const headers = { 'content-type': 'text/plain' }
    expect((await fetch(writeUrl, { method: 'PUT', headers, body: 'late' })).status).toBe(403)
    expect(await contentOf(blobs, key)).toBe('content')
  })

  test('a signed PUT URL accepts only the content type it was signed for', async () => {
    const { blobs } = current()
    const key = fresh('ä b+c%')
    const url = await blobs.signedUrl(key, { method: 'PUT', expiresInSeconds: 60, contentType: 'image/png' })
    const upload = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
      fetch(url, { method: 'PUT', headers, body })
    expect((await upload({ 'content-type': 'text/html' }, '<script>')).status).toBe(403)
    expect((await upload({}, new Uint8Array([1]))).status).toBe(403)
    expect(await blobs.head(key)).toBeUndefined()
    const content = Buffer.alloc(3 * mebibyte, 'image')
    expect((await upload({ 'content-type': 'image/png' }, content)).status).toBe(200)
    expect(await blobs.head(key)).toMatchObject({ size: content.length, contentType: 'image/png' })
    expect(await contentOf(blobs, key)).toBe(content.toString())
    expect((await upload({ 'content-type': 'image/png' }, '')).status).toBe(200)
    expect(await blobs.head(key)).toMatchObject({ size: 0 })
  })

  test('a signed URL is valid for its own method only', async () => {
    const { blobs } = current()
    const key = fresh()
    await blobs.put(key, Buffer.from('content'))
    const readUrl = await blobs.signedUrl(key, { method: 'GET', expiresInSeconds: 60 })
    const writeUrl = await blobs.signedUrl(key, { method: 'PUT', expiresInSeconds: 60 })
    const headers = { 'content-type': 'application/octet-stream' }
    expect((await fetch(readUrl, { method: 'PUT', headers, body: 'changed' })).status).toBe(403)
    expect((await fetch(writeUrl)).status).toBe(403)
    for (const url of [readUrl, writeUrl]) {
      expect((await fetch(url, { method: 'DELETE' })).status).toBeGreaterThanOrEqual(400)
      expect((await fetch(url, { method: 'POST', headers, body: 'changed' })).status).toBeGreaterThanOrEqual(400)
    }
    expect(await contentOf(blobs, key)).toBe('content')
  })
}
