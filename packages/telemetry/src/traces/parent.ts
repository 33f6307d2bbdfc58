import { randomBytes } from 'node:crypto'

/** What a `traceparent` says. */
export interface Parent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

// A version that is not known yet may have more parts after these; `ff` is none.
const form = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const isNothing = /^0+$/

/** Undefined for what is none: then a trace begins here, as the recommendation demands. */
export function parentIn(text: unknown): Parent | undefined {
  if (typeof text !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  if (isNothing.test(traceId) || isNothing.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const parentText = ({ traceId, spanId, isSampled }: Parent) =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/** Passed on as it came. What is longer than the recommendation asks for is dropped as a whole. */
export function stateIn(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\x20-\x7e]{1,512}$/.test(text) ? text : undefined
}

let pool = ''
let used = 0

/** Of so many hexadecimal digits. Made of a supply: to ask for a few random bytes costs as much as to ask for many. */
export function randomId(digits: number): string {
  if (used + digits > pool.length) {
    pool = randomBytes(8_192).toString('hex')
    used = 0
  }
  used += digits
  return pool.slice(used - digits, used)
}
