import { type Baseline, gramSize } from './baseline.ts'

export interface CodeRange {
  readonly offset: number
  readonly size: number
  /** What to add to an offset for the address from the beginning of the image. */
  readonly shift: number
}

export interface CodeOptions {
  readonly base: number
  readonly imageSize: number
  readonly isExcluded: (window: Buffer) => boolean
}

const windowSize = 40
const step = 4
const maxLooked = 200_000

/** Pieces of code that clean programs do not have, the rarest first, with wildcards over what a loader or linker puts in. */
export function rareCode(
  file: Buffer,
  ranges: readonly CodeRange[],
  baseline: Baseline,
  options: CodeOptions,
  count: number,
): string[] {
  const candidates: {
    readonly at: number
    readonly window: Buffer
    readonly mask: boolean[]
    readonly score: number
  }[] = []
  let looked = 0
  for (const { offset, size, shift } of ranges)
    for (let at = offset; at + windowSize <= offset + size && looked < maxLooked; at += step, looked++) {
      const window = file.subarray(at, at + windowSize)
      if (new Set(window).size < windowSize / 2 || isNoCode(window)) continue
      const mask = fixedBytes(window, at + shift, options)
      if (mask.filter(Boolean).length < windowSize / 2 || !mask[0]) continue
      const score = rarity(window, mask, baseline)
      if (score > 0.7) candidates.push({ at, window, mask, score: score + new Set(window).size / 100 })
    }
  const chosen: string[] = []
  const places: number[] = []
  for (const { at, window, mask } of candidates.sort((one, other) => other.score - one.score)) {
    if (chosen.length >= count) break
    if (places.some((place) => Math.abs(place - at) < windowSize) || options.isExcluded(window)) continue
    places.push(at)
    chosen.push(pattern(window, mask))
  }
  return chosen
}

/** Texts, and tables of addresses that only a loader knows. */
function isNoCode(window: Buffer): boolean {
  let letters = 0
  let addresses = 0
  for (const [at, byte] of window.entries()) {
    if (byte >= 0x20 && byte < 0x7f) letters++
    if (at % 4 === 3 && (byte & 0xf0) === 0x70) addresses++
  }
  return letters > window.length / 2 || addresses > 3
}

/** How many of the runs of fixed bytes no clean program has. */
function rarity(window: Buffer, mask: readonly boolean[], baseline: Baseline): number {
  let grams = 0
  let rare = 0
  for (let at = 0; at + gramSize <= window.length; at++) {
    if (mask.slice(at, at + gramSize).includes(false)) continue
    grams++
    if (!baseline.has(window.subarray(at, at + gramSize))) rare++
  }
  return grams < 4 ? 0 : rare / grams
}

/** False where four bytes are an address within the program, or the way to one: relocations, and calls of other parts. */
function fixedBytes(window: Buffer, address: number, { base, imageSize }: CodeOptions): boolean[] {
  const mask = Array.from({ length: window.length }, () => true)
  for (let at = 0; at + 4 <= window.length; at++) {
    const value = window.readUInt32LE(at)
    const target = address + at + 4 + (value | 0)
    const isAddress = value >= base && value < base + imageSize
    const isDistance = Math.abs(value | 0) > 0x80 && target >= 0x1000 && target < imageSize
    if (isAddress || isDistance) mask.fill(false, at, at + 4)
  }
  return mask
}

function pattern(window: Buffer, mask: readonly boolean[]): string {
  const shown = [...window].map((byte, index) =>
    mask[index] ? byte.toString(16).padStart(2, '0').toUpperCase() : '??',
  )
  return `{ ${shown.join(' ').replace(/(?: \?\?)+$/, '')} }`
}
