import { type Baseline, gramSize } from './baseline.ts'

export interface CodeRange {
  readonly offset: number
  readonly size: number
  /** Difference between image address and file offset. */
  readonly shift: number
}

export interface CodeOptions {
  readonly base: number
  readonly imageSize: number
  readonly isExcluded: (window: Buffer) => boolean
}

const windowSize = 40
const step = 4
const maxWindows = 200_000

/** Selects code that clean programs do not contain, rarest first, with wildcards for values set by a loader or linker. */
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
  let windows = 0
  for (const { offset, size, shift } of ranges)
    for (let at = offset; at + windowSize <= offset + size && windows < maxWindows; at += step, windows++) {
      const window = file.subarray(at, at + windowSize)
      if (new Set(window).size < windowSize / 2 || isNoCode(window)) continue
      const mask = fixedBytes(window, at + shift, options)
      if (mask.filter(Boolean).length < windowSize / 2 || !mask[0]) continue
      const score = rarity(window, mask, baseline)
      if (score > 0.7) candidates.push({ at, window, mask, score: score + new Set(window).size / 100 })
    }
  const patterns: string[] = []
  const offsets: number[] = []
  for (const { at, window, mask } of candidates.sort((a, b) => b.score - a.score)) {
    if (patterns.length >= count) break
    if (offsets.some((offset) => Math.abs(offset - at) < windowSize) || options.isExcluded(window)) continue
    offsets.push(at)
    patterns.push(pattern(window, mask))
  }
  return patterns
}

/** Detects texts and address tables. */
function isNoCode(window: Buffer): boolean {
  let letters = 0
  let addresses = 0
  for (const [at, byte] of window.entries()) {
    if (byte >= 0x20 && byte < 0x7f) letters++
    if (at % 4 === 3 && (byte & 0xf0) === 0x70) addresses++
  }
  return letters > window.length / 2 || addresses > 3
}

/** Share of fixed byte runs that no clean program contains. */
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

/** False for absolute and relative addresses within the program: relocations and calls. */
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
  const digits = [...window].map((byte, index) =>
    mask[index] ? byte.toString(16).padStart(2, '0').toUpperCase() : '??',
  )
  return `{ ${digits.join(' ').replace(/(?: \?\?)+$/, '')} }`
}
