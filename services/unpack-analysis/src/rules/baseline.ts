import { readFileSync } from 'node:fs'

/** Bits per entry. */
const bitsPerEntry = 4
/** Bytes per code entry. */
export const gramSize = 8

/** Two FNV-1a variants. */
function hashes(bytes: Uint8Array): [number, number] {
  let first = 0x811c9dc5
  let second = 0x9747b28c
  for (const byte of bytes) {
    first = Math.imul(first ^ byte, 0x01000193)
    second = Math.imul(second ^ byte, 0x5bd1e995) ^ (second >>> 15)
  }
  return [first >>> 0, (second | 1) >>> 0]
}

/** Bloom filter of common content of clean programs. */
export class Baseline {
  readonly bits: Uint8Array

  constructor(bits: Uint8Array) {
    this.bits = bits
  }

  #places(bytes: Uint8Array): number[] {
    const [first, second] = hashes(bytes)
    return Array.from({ length: bitsPerEntry }, (_, index) => (first + index * second) % (this.bits.length * 8))
  }

  add(bytes: Uint8Array): void {
    for (const place of this.#places(bytes)) this.bits[place >> 3] = (this.bits[place >> 3] ?? 0) | (1 << (place & 7))
  }

  has(bytes: Uint8Array): boolean {
    return this.#places(bytes).every((place) => ((this.bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0)
  }
}

/** Texts are case-insensitive. */
export const textEntry = (text: string) => Buffer.from(`"${text.toLowerCase()}`, 'latin1')

export const loadBaseline = () =>
  new Baseline(readFileSync(new URL('baseline.bin', new URL('../../data/', import.meta.url))))
