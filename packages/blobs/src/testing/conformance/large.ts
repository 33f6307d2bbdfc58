import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type Current, fresh, mebibyte } from './subject.ts'

export function describeLargeObjects(current: Current): void {
  test('a stream of 20 MiB comes back byte for byte', async () => {
    const { blobs } = current()
    const key = fresh()
    const chunks = Array.from({ length: 20 * 16 + 1 }, () => randomBytes(64 * 1024))
    const sent = createHash('sha256')
    for (const chunk of chunks) sent.update(chunk)
    const stored = await blobs.put(key, Readable.from(chunks), { contentType: 'video/mp4' })
    expect(stored.size).toBe(20 * mebibyte + 64 * 1024)
    expect(await blobs.head(key)).toMatchObject({ ...stored })
    const received = createHash('sha256')
    for await (const chunk of (await blobs.get(key)).body) received.update(chunk)
    expect(received.digest('hex')).toBe(sent.digest('hex'))
    const { body } = await blobs.get(key, { start: 17 * mebibyte, end: 17 * mebibyte + 99 })
    expect(await buffer(body)).toEqual(chunks[17 * 16]?.subarray(0, 100))
  })

  test('a stream of exactly one or two parts of a multipart upload arrives whole', async () => {
    const { blobs } = current()
    for (const size of [8 * mebibyte, 16 * mebibyte]) {
      const key = fresh()
      const content = randomBytes(size)
      await blobs.put(key, Readable.from([content]))
      expect((await buffer((await blobs.get(key)).body)).equals(content)).toBe(true)
    }
  })

  test('putting and getting 128 MiB uses the memory of a few parts', async () => {
    const { blobs } = current()
    const key = fresh()
    const memory = memoryMeter()
    const chunks = function* () {
      for (let count = 0; count < 128; count++) {
        if (count % 32 === 31) memory.sample()
        yield Buffer.alloc(mebibyte, count)
      }
    }
    await blobs.put(key, Readable.from(chunks()))
    let size = 0
    for await (const chunk of (await blobs.get(key)).body) {
      const before = size
      size += chunk.length
      if (Math.floor(before / (32 * mebibyte)) < Math.floor(size / (32 * mebibyte))) memory.sample()
    }
    expect(size).toBe(128 * mebibyte)
    expect(memory.peak()).toBeLessThan(32 * mebibyte)
    await blobs.delete(key)
  })
}

/** Measures memory beyond that at the start, after a garbage collection. */
function memoryMeter(): { sample(): void; peak(): number } {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collect()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return arrayBuffers + heapUsed
  }
  const baseline = usedBytes()
  let highest = 0
  return {
    sample() {
      highest = Math.max(highest, usedBytes() - baseline)
    },
    peak: () => highest,
  }
}
