import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { opened, sealed } from './gallery.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const pieces = [5_000, 1, 0, 70_000].map((length, i) => Buffer.alloc(length, i + 1))
const bytes = Buffer.concat(await Array.fromAsync(sealed(key, 'one', each(pieces))))

async function* each<T>(values: Iterable<T>) {
  yield* values
}

const openInChunks = (size: number, data = bytes, name = 'one') => {
  const chunks = Array.from({ length: Math.ceil(data.length / size) }, (_, i) =>
    data.subarray(i * size, (i + 1) * size),
  )
  return Array.fromAsync(opened(key, name, each(chunks)))
}

test('pieces are unsealed for any chunk size', async () => {
  for (const size of [1, 3, 4, 5_032, 65_536, bytes.length]) expect(await openInChunks(size), `${size}`).toEqual(pieces)
  expect(await openInChunks(1, Buffer.alloc(0))).toEqual([])
})

test('pieces that are truncated, moved or from another gallery are refused', async () => {
  for (const missing of [1, 69_000, 70_029])
    await expect(openInChunks(1_000, bytes.subarray(0, -missing)), `${missing}`).rejects.toThrow('ends within a piece')
  await expect(openInChunks(1_000, bytes.subarray(5_032))).rejects.toThrow()
  await expect(openInChunks(1_000, bytes, 'another')).rejects.toThrow()
})
