import { randomBytes } from 'node:crypto'

/** A parsed `traceparent`. */
export interface Parent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

// Future versions may have more parts after these; `ff` is invalid.
const form = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const zeros = /^0+$/

/** Returns undefined for an invalid header: a new trace begins then, as the recommendation requires. */
export function parentIn(text: unknown): Parent | undefined {
  if (typeof text !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const parentText = ({ traceId, spanId, isSampled }: Parent) =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** Propagated unchanged. Dropped if longer than the recommendation requires. */
export function stateIn(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\x20-\x7e]{1,512}$/.test(text) ? text : undefined
}

let pool = ''
let used = 0

/** Random hexadecimal digits. Taken from a pool: a few random bytes cost as much as many. */
export function randomId(digits: number): string {
  if (used + digits > pool.length) {
    pool = randomBytes(8_192).toString('hex')
    used = 0
  }
  used += digits
  return pool.slice(used - digits, used)
}
