import { readFileSync } from 'node:fs'

/** How many bits an entry sets. */
const marks = 4
/** Of code: how many bytes in a row are looked at together. */
export const gramSize = 8

/** FNV-1a, twice: enough to spread entries over the filter. */
function hashes(bytes: Uint8Array): [number, number] {
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x5bd1e995) ^ (other >>> 15)
  }
  return [one >>> 0, (other | 1) >>> 0]
}

/** A Bloom filter of what clean programs have in common: it forgets nothing, and takes a few strange things for known. */
export class Baseline {
  readonly bits: Uint8Array

  constructor(bits: Uint8Array) {
    this.bits = bits
  }

  #places(bytes: Uint8Array): number[] {
    const [one, other] = hashes(bytes)
    return Array.from({ length: marks }, (_, index) => (one + index * other) % (this.bits.length * 8))
  }

  add(bytes: Uint8Array): void {
    for (const place of this.#places(bytes)) this.bits[place >> 3] = (this.bits[place >> 3] ?? 0) | (1 << (place & 7))
  }

  has(bytes: Uint8Array): boolean {
    return this.#places(bytes).every((place) => ((this.bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0)
  }
}

/** Texts are compared without their case. */
export const textEntry = (text: string) => Buffer.from(`"${text.toLowerCase()}`, 'latin1')

export const loadBaseline = () =>
  new Baseline(readFileSync(new URL('baseline.bin', new URL('../../data/', import.meta.url))))
