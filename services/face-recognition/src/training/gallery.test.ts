import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { opened, sealed } from './gallery.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const pieces = [5_000, 1, 0, 70_000].map((length, i) => Buffer.alloc(length, i + 1))
const bytes = Buffer.concat(await Array.fromAsync(sealed(key, 'one', each(pieces))))

async function* each<T>(values: Iterable<T>) {
  yield* values
}

const openedInChunks = (size: number, of = bytes, name = 'one') => {
  const chunks = Array.from({ length: Math.ceil(of.length / size) }, (_, i) => of.subarray(i * size, (i + 1) * size))
  return Array.fromAsync(opened(key, name, each(chunks)))
}

test('pieces are opened as they were sealed, however their bytes arrive', async () => {
  for (const size of [1, 3, 4, 5_032, 65_536, bytes.length])
    expect(await openedInChunks(size), `${size}`).toEqual(pieces)
  expect(await openedInChunks(1, Buffer.alloc(0))).toEqual([])
})

test('what is cut off, moved or of another gallery is not opened', async () => {
  for (const missing of [1, 69_000, 70_029])
    await expect(openedInChunks(1_000, bytes.subarray(0, -missing)), `${missing}`).rejects.toThrow(
      'ends within a piece',
    )
  await expect(openedInChunks(1_000, bytes.subarray(5_032))).rejects.toThrow()
  await expect(openedInChunks(1_000, bytes, 'another')).rejects.toThrow()
})
