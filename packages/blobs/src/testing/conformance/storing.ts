import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type Current, contentOf, fresh } from './subject.ts'

export function describeStoring(current: Current): void {
  test('returns bytes as they were put, with their type and size', async () => {
    const { blobs } = current()
    const key = fresh()
    const stored = await blobs.put(key, Buffer.from('content'), { contentType: 'text/plain; charset=utf-8' })
    const { info, body } = await blobs.get(key)
    expect(await buffer(body)).toEqual(Buffer.from('content'))
    expect(info).toMatchObject({ key, size: 7, contentType: 'text/plain; charset=utf-8', etag: stored.etag })
    expect(stored).toEqual({ key, size: 7, contentType: info.contentType, etag: expect.stringMatching(/^[^"]+$/) })
    expect(info.modifiedAt).toBeInstanceOf(Date)
  })

  test('returns a stream as it was put, whatever its chunks are', async () => {
    const { blobs } = current()
    const key = fresh()
    await blobs.put(key, Readable.from(['ä', Buffer.from('b'), new Uint8Array(), Buffer.from('c')]))
    expect(await contentOf(blobs, key)).toBe('äbc')
    expect((await blobs.head(key))?.contentType).toBe('application/octet-stream')
  })

  test('stores empty objects', async () => {
    const { blobs } = current()
    for (const body of [new Uint8Array(), Readable.from([])]) {
      const key = fresh()
      expect(await blobs.put(key, body)).toMatchObject({ size: 0 })
      expect(await contentOf(blobs, key)).toBe('')
      expect(await blobs.head(key)).toMatchObject({ key, size: 0 })
    }
  })

  test('a second put replaces content, type and etag', async () => {
    const { blobs } = current()
    const key = fresh()
    const old = await blobs.put(key, Buffer.from('old and longer'), { contentType: 'text/plain' })
    const replacement = await blobs.put(key, Buffer.from('new'), { contentType: 'text/csv' })
    expect(replacement.etag).not.toBe(old.etag)
    expect(await contentOf(blobs, key)).toBe('new')
    expect(await blobs.head(key)).toMatchObject({ size: 3, contentType: 'text/csv', etag: replacement.etag })
  })

  test('ranges are inclusive; start and end are optional; an end beyond the object means its last byte', async () => {
    const { blobs } = current()
    const key = fresh()
    await blobs.put(key, Buffer.from('0123456789'))
    const ranges: [{ start?: number; end?: number }, string][] = [
      [{ start: 2, end: 4 }, '234'],
      [{ start: 9, end: 9 }, '9'],
      [{ start: 7 }, '789'],
      [{ end: 1 }, '01'],
      [{ start: 8, end: 5000 }, '89'],
      [{}, '0123456789'],
    ]
    for (const [range, expected] of ranges) {
      const { info, body } = await blobs.get(key, range)
      expect((await buffer(body)).toString()).toBe(expected)
      expect(info.size).toBe(10)
    }
  })

  test('head tells existing objects from missing ones', async () => {
    const { blobs } = current()
    const key = fresh()
    expect(await blobs.head(key)).toBeUndefined()
    const { etag } = await blobs.put(key, Buffer.from('x'), { contentType: 'image/png' })
    const info = await blobs.head(key)
    expect(info).toEqual({ key, size: 1, contentType: 'image/png', etag, modifiedAt: info?.modifiedAt })
  })

  test('delete is idempotent and removes nothing else', async () => {
    const { blobs } = current()
    const folder = fresh('folder')
    for (const key of [folder, `${folder}/a`, `${folder}/b`]) await blobs.put(key, Buffer.from(key))
    await blobs.delete(`${folder}/a`)
    await blobs.delete(`${folder}/a`)
    expect(await blobs.head(`${folder}/a`)).toBeUndefined()
    expect(await contentOf(blobs, folder)).toBe(folder)
    await blobs.delete(`${folder}/b`)
    expect(await contentOf(blobs, folder)).toBe(folder)
  })
}
