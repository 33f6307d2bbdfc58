import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { type Current, contentOf, fresh, mebibyte } from './subject.ts'

const badKeys = [
  ...['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/./b', 'a/../b', '../a', 'a/..', 'a\nb', 'a\u0000', '\u007f', '\u0085'],
  ...['\ud800', 'a\uffff', 'x'.repeat(901), 'é'.repeat(451)],
]

/** Yields some content, then fails. */
async function* broken(chunks: number): AsyncGenerator<Buffer> {
  for (let count = 0; count < chunks; count++) yield randomBytes(mebibyte)
  throw new Error('the source broke')
}

export function describeRefusals(current: Current): void {
  test('a missing object is not found', async () => {
    const { blobs } = current()
    await expect(blobs.get(fresh())).rejects.toMatchObject({ name: 'Failure', kind: 'notFound' })
    await expect(blobs.get(fresh(), { start: 1 })).rejects.toMatchObject({ name: 'Failure', kind: 'notFound' })
  })

  test('keys with empty or dotted segments, control characters or too many bytes are invalid', async () => {
    const { blobs } = current()
    const invalid = { name: 'Failure', kind: 'invalid' }
    for (const key of badKeys) {
      const shown = JSON.stringify(key)
      await expect(blobs.put(key, Buffer.from('x')), shown).rejects.toMatchObject(invalid)
      await expect(blobs.get(key), shown).rejects.toMatchObject(invalid)
      await expect(blobs.head(key), shown).rejects.toMatchObject(invalid)
      await expect(blobs.delete(key), shown).rejects.toMatchObject(invalid)
      await expect(blobs.signedUrl(key, { method: 'GET', expiresInSeconds: 9 }), shown).rejects.toMatchObject(invalid)
    }
  })

  test('a key of 900 bytes is valid', async () => {
    const { blobs } = current()
    const start = fresh('')
    const rest = 900 - start.length
    for (const key of [
      start + 'x'.repeat(rest),
      start + '%/'.repeat(Math.floor((rest - 1) / 2)) + '+'.repeat(2 - (rest % 2)),
    ]) {
      expect(Buffer.byteLength(key)).toBe(900)
      await blobs.put(key, Buffer.from('long'))
      expect(await contentOf(blobs, key)).toBe('long')
      expect((await blobs.list(key, { limit: 2 })).items).toMatchObject([{ key }])
    }
  })

  test('malformed ranges, limits, types and lifetimes are invalid', async () => {
    const { blobs } = current()
    const invalid = { name: 'Failure', kind: 'invalid' }
    const [key, empty] = [fresh(), fresh()]
    await blobs.put(key, Buffer.from('0123456789'))
    await blobs.put(empty, new Uint8Array())
    const ranges = [
      { start: 10 },
      { start: 99, end: 100 },
      { start: 5, end: 4 },
      { start: -1 },
      { start: 0.5 },
      { end: -1 },
    ]
    for (const range of ranges) await expect(blobs.get(key, range)).rejects.toMatchObject(invalid)
    await expect(blobs.get(empty, { start: 0 })).rejects.toMatchObject(invalid)
    for (const limit of [0, -1, 1001, 1.5, Number.NaN]) {
      await expect(blobs.list('', { limit })).rejects.toMatchObject(invalid)
    }
    await expect(blobs.list('\n', { limit: 1 })).rejects.toMatchObject(invalid)
    for (const contentType of ['', 'text', 'text/plain\r\nx: y', 'text/ä', `text/${'x'.repeat(255)}`]) {
      await expect(blobs.put(key, Buffer.from('x'), { contentType })).rejects.toMatchObject(invalid)
      const options = { method: 'PUT', expiresInSeconds: 9, contentType } as const
      await expect(blobs.signedUrl(key, options)).rejects.toMatchObject(invalid)
    }
    for (const expiresInSeconds of [0, -1, 1.5, 604_801]) {
      await expect(blobs.signedUrl(key, { method: 'GET', expiresInSeconds })).rejects.toMatchObject(invalid)
    }
    expect(await contentOf(blobs, key)).toBe('0123456789')
  })

  test.each([1, 9])('a stream that fails after %i MiB leaves nothing behind', async (chunks) => {
    const { blobs } = current()
    for (const ifAbsent of [false, true]) {
      const key = fresh()
      await expect(blobs.put(key, Readable.from(broken(chunks)), { ifAbsent })).rejects.toThrow('the source broke')
      expect(await blobs.head(key)).toBeUndefined()
      expect(await blobs.list(key, { limit: 10 })).toEqual({ items: [] })
    }
  })

  test('a stream that fails or ends early leaves the existing object', async () => {
    const { blobs } = current()
    const key = fresh()
    await blobs.put(key, Buffer.from('old'))
    await expect(blobs.put(key, Readable.from(broken(1)))).rejects.toThrow('the source broke')
    const cutOff = new Readable({ read() {} })
    cutOff.push('half of it')
    setTimeout(() => cutOff.destroy(), 20)
    await expect(blobs.put(key, cutOff)).rejects.toThrow()
    expect(await contentOf(blobs, key)).toBe('old')
  })
}
