import type { ObservedExchange, ObservedMessage } from '@icosa/kernel'

/** Total size of all lines about one request. */
export const maxBytes = 16_384
/** Budget of the smallest request. */
const minBytes = 4_096
/** Additional budget per byte of request and response. */
const bytesPerByte = 2

/** Bytes that may be logged, counted after JSON escaping. */
export class ByteBudget {
  #remaining: number
  /** Number of omissions. */
  cuts = 0

  constructor(bytes: number) {
    this.#remaining = Math.max(0, bytes)
  }

  /** Whether so many bytes are available; if not, counts an omission. */
  has(bytes: number): boolean {
    const fits = bytes <= this.#remaining
    if (!fits) this.cuts++
    return fits
  }

  /** Reserves bytes for a value that is written completely or not at all. */
  take(bytes: number): boolean {
    const fits = this.has(bytes)
    if (fits) this.#remaining -= bytes
    return fits
  }

  /** Returns the part of a text that fits, and charges it. */
  clip(text: string, limit: number = this.#remaining): string {
    const part = clipped(text, Math.min(limit, this.#remaining))
    if (part.length < text.length) this.cuts++
    this.#remaining -= writtenBytes(part)
    return part
  }
}

/** Grows with request and response, so that small requests cannot flood the log. */
export function budgetFor({ path, request, response }: ObservedExchange): number {
  return Math.min(maxBytes, minBytes + bytesPerByte * (path.length + sizeOf(request) + sizeOf(response)))
}

function sizeOf({ headers, body }: ObservedMessage): number {
  const lengths = Object.entries(headers).map(([name, value]) => name.length + String(value ?? '').length)
  return lengths.reduce((sum, length) => sum + length, body ? Buffer.byteLength(body) : 0)
}

/** Size of a text as JSON, without quotes. */
export const writtenBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

/** Cuts a text to at most so many bytes of JSON, between characters. */
export function clipped(text: string, bytes: number): string {
  if (text.length <= bytes && writtenBytes(text) <= bytes) return text
  // Binary search, since texts may be long on purpose. A character has at least one byte.
  let [fits, tooLong] = [0, Math.min(text.length, Math.max(0, bytes)) + 1]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (writtenBytes(prefix(text, middle)) <= bytes) fits = middle
    else tooLong = middle
  }
  return prefix(text, fits)
}

/** Never ends in half a surrogate pair. */
const prefix = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
