import { createSecretKey, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openStream, sealStream } from './streams.ts'

const key = createSecretKey(randomBytes(32))
const chunk = 2 ** 18
const seal = (content: Buffer, of = key) => buffer(sealStream(of, 'blob', Readable.from([content])))
const open = (sealed: Buffer, context = 'blob') => buffer(openStream(key, context, Readable.from([sealed])))

test.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 5])('%i bytes are encrypted', async (bytes) => {
  const content = randomBytes(bytes)
  const sealed = await seal(content)
  if (bytes > 16) expect(sealed.includes(content.subarray(0, 16))).toBe(false)
  expect((await open(sealed)).equals(content)).toBe(true)
})

test('a changed, truncated, reordered or foreign ciphertext is refused', async () => {
  const sealed = await seal(randomBytes(3 * chunk))
  const size = chunk + 28
  const [first, second, third] = [0, 1, 2].map((at) => sealed.subarray(at * size, (at + 1) * size)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const changed = Buffer.from(sealed)
  changed.writeUInt8(changed.readUInt8(size + 100) ^ 1, size + 100)
  const refused = [
    changed,
    sealed.subarray(0, -1),
    Buffer.concat([first, second]),
    Buffer.concat([second, first, third]),
    Buffer.alloc(0),
  ]
  for (const content of refused) await expect(open(content)).rejects.toThrow()
  await expect(open(sealed, 'other')).rejects.toThrow()
  await expect(open(await seal(Buffer.from('x'), createSecretKey(randomBytes(32))))).rejects.toThrow()
})
