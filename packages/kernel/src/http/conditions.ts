import { Failure, invalid } from '../errors.ts'

/** What a request demands of the state that it finds: RFC 9110, section 13. */
export interface Conditions {
  readonly 'if-match'?: string | undefined
  readonly 'if-none-match'?: string | undefined
}

const weak = /^W\//
const list = /^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/

/** Whether a header names this state. If-Match compares strongly: a weak ETag names nothing. */
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
 * Whether the caller knows this state already. Refuses another than the one it demands. The ETag has its quotes, is empty
 * if the state has none, and undefined if nothing is there.
 */
export function isUnchanged(conditions: Conditions, etag: string | undefined): boolean {
  if (names(conditions, 'if-match', etag) === false) refuse()
  return names(conditions, 'if-none-match', etag) === true
}

/** The same for a change, which must not happen to a state that If-None-Match names. */
export function demandConditions(conditions: Conditions, etag: string | undefined): void {
  if (isUnchanged(conditions, etag)) refuse()
}

function refuse(): never {
  const message = 'The resource is not in the state that the request demands: read it again and use its current ETag.'
  throw new Failure('preconditionFailed', message)
}
