import type { ObservedExchange, ObservedMessage } from '@icosa/kernel'

/** So much is written about one request, by all diagnostics together. */
export const maxBytes = 16_384
/** So much may be written about the smallest. */
const leastBytes = 4_096
/** Beyond that, so many times what came in and went out. */
const copies = 2

/** How much may be written, in bytes as they stand in the log: a character that JSON writes as six counts as six. */
export class ByteBudget {
  #left: number
  /** How often something had to be left out. */
  cuts = 0

  constructor(bytes: number) {
    this.#left = Math.max(0, bytes)
  }

  /** Whether there is room for so much; otherwise it counts as left out. */
  has(bytes: number): boolean {
    const fits = bytes <= this.#left
    if (!fits) this.cuts++
    return fits
  }

  /** Takes room for something that is written whole or not at all. */
  take(bytes: number): boolean {
    const fits = this.has(bytes)
    if (fits) this.#left -= bytes
    return fits
  }

  /** As much of a text as there is room for, and no more than its own limit. */
  clip(text: string, limit: number = this.#left): string {
    const part = clipped(text, Math.min(limit, this.#left))
    if (part.length < text.length) this.cuts++
    this.#left -= writtenBytes(part)
    return part
  }
}

/** Grows with the request and its response, so that little that comes in never makes much that is written. */
export function budgetFor({ path, request, response }: ObservedExchange): number {
  return Math.min(maxBytes, leastBytes + copies * (path.length + sizeOf(request) + sizeOf(response)))
}

function sizeOf({ headers, body }: ObservedMessage): number {
  const lengths = Object.entries(headers).map(([name, value]) => name.length + String(value ?? '').length)
  return lengths.reduce((sum, length) => sum + length, body ? Buffer.byteLength(body) : 0)
}

/** How many bytes a text has in a line of JSON, without its quotes. */
export const writtenBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

/** The beginning of a text that has at most so many bytes in a line of JSON. No character is cut in two. */
export function clipped(text: string, bytes: number): string {
  if (text.length <= bytes && writtenBytes(text) <= bytes) return text
  // Halving, not counting: long texts come from whoever wants to keep us busy. A character has at least one byte.
  let [fits, tooLong] = [0, Math.min(text.length, Math.max(0, bytes)) + 1]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (writtenBytes(beginning(text, middle)) <= bytes) fits = middle
    else tooLong = middle
  }
  return beginning(text, fits)
}

/** Without the first half of a pair at its end. */
const beginning = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
