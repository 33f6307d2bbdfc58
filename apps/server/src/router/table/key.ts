import { hash } from 'node:crypto'

/** Length of a key in bytes. */
export const keyBytes = 8

/**
 * Key of a tag, a tenant or a name: 63 bits of a hash, so that rows have one width, and Lua compares them as positive
 * integers. Among 10^8 keys, two are equal with a probability of 1 in 2,000: one of them then reaches the cell of the
 * other, which refuses it.
 */
export function keyOf(by: string, value: string): Buffer {
  const key = hash('sha256', `${by}:${value}`, 'buffer').subarray(0, keyBytes)
  key[0] = (key[0] as number) & 0x7f
  return key
}
