import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type Current, contentOf, fresh, mebibyte } from './subject.ts'

export function describeConcurrency(current: Current): void {
  test('while writers overwrite an object, every reader sees one complete version', async () => {
    const { blobs } = current()
    const key = fresh()
    const sizes = new Map([
      ['a', 3 * mebibyte],
      ['b', 2 * mebibyte],
      ['c', 9 * mebibyte],
    ])
    const version = (letter: string) => Buffer.alloc(sizes.get(letter) ?? 0, letter)
    await blobs.put(key, version('a'))
    let reading = true
    const writers = [...sizes.keys()].map(async (letter) => {
      while (reading) await blobs.put(key, Readable.from([version(letter)]))
    })
    const readers = [1, 2].map(async () => {
      for (const versions = new Set<string>(); versions.size < sizes.size; ) {
        const content = await buffer((await blobs.get(key)).body)
        const letter = content.toString('latin1', 0, 1)
        expect(content.equals(version(letter))).toBe(true)
        versions.add(letter)
      }
    })
    await Promise.all(readers).finally(() => {
      reading = false
    })
    await Promise.all(writers)
  })

  test('puts and deletes of neighbours do not disturb each other', async () => {
    const { blobs } = current()
    const folder = fresh('deep/er')
    const keys = Array.from({ length: 8 }, (_, index) => `${folder}/${index}`)
    await Promise.all(
      keys.map(async (key) => {
        for (let round = 0; round < 10; round++) {
          await blobs.put(key, Buffer.from(key))
          expect(await contentOf(blobs, key)).toBe(key)
          await blobs.delete(key)
        }
      }),
    )
    expect(await blobs.list(folder, { limit: 10 })).toEqual({ items: [] })
  })

  test.each([
    ['bytes', 10, (content: Buffer) => content],
    ['short streams', 10, (content: Buffer) => Readable.from([content])],
    ['streams longer than a part', 9 * mebibyte, (content: Buffer) => Readable.from([content])],
  ])('of concurrent puts of %s with ifAbsent, exactly one wins', async (_, size, bodyOf) => {
    const { blobs } = current()
    const key = fresh()
    const contents = Array.from({ length: size > mebibyte ? 4 : 20 }, (_, index) => Buffer.alloc(size, index))
    const results = await Promise.allSettled(
      contents.map((content) => blobs.put(key, bodyOf(content), { ifAbsent: true })),
    )
    const winners = contents.filter((_, index) => results[index]?.status === 'fulfilled')
    const losers = results.filter((result) => result.status === 'rejected')
    expect(losers.map(({ reason }) => reason.kind)).toEqual(losers.map(() => 'alreadyExists'))
    expect(winners).toHaveLength(1)
    const stored = await buffer((await blobs.get(key)).body)
    expect(winners[0]?.equals(stored)).toBe(true)
    await blobs.delete(key)
    await blobs.put(key, Buffer.from('free again'), { ifAbsent: true })
  })
}
