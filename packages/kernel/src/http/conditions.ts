import { Failure, invalid } from '../errors.ts'

/** Conditional request headers: RFC 9110, section 13. */
export interface Conditions {
  readonly 'if-match'?: string | undefined
  readonly 'if-none-match'?: string | undefined
}

const weak = /^W\//
const list = /^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/

/** Whether a header matches the ETag. If-Match compares strongly: weak ETags never match. */
function names(conditions: Conditions, header: keyof Conditions, etag: string | undefined): boolean | undefined {
  const value = conditions[header]
  if (value === undefined) return undefined
  if (value.trim() === '*') return etag !== undefined
  if (!list.test(value)) invalid([{ at: `headers/${header}`, message: 'must be * or ETags in quotes, as in replies' }])
  const tags = value.match(/(?:W\/)?"[^"]*"/g) ?? []
  if (header === 'if-match') return tags.some((tag) => tag === etag && !weak.test(tag))
  return tags.some((tag) => tag.replace(weak, '') === etag?.replace(weak, ''))
}

/**
 * Whether the caller already has this state (304). Refuses a failed If-Match. The ETag includes its quotes; empty if
 * the resource has none, undefined if it does not exist.
 */
export function isUnchanged(conditions: Conditions, etag: string | undefined): boolean {
  if (names(conditions, 'if-match', etag) === false) refuse()
  return names(conditions, 'if-none-match', etag) === true
}

/** Optimistic concurrency: refuses a change if If-Match fails or If-None-Match matches. */
export function demandConditions(conditions: Conditions, etag: string | undefined): void {
  if (isUnchanged(conditions, etag)) refuse()
}

function refuse(): never {
  const message = 'The resource does not meet the conditions of the request: read it again and use its current ETag.'
  throw new Failure('preconditionFailed', message)
}
