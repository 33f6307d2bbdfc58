import { Failure } from '@icosa/kernel'
import type { Headers } from './signature.ts'

const tags = (header: string) =>
  header.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^["'](.*)["']$/, '$1'),
  )

/** Whether a header names this state; `*` names any. Undefined if it is not there. */
function names(header: string | string[] | undefined, etag: string | undefined): boolean | undefined {
  if (header === undefined) return undefined
  return etag !== undefined && tags(String(header)).some((tag) => tag === '*' || tag === etag)
}

/** Whether the conditions of a request hold for something in this state; undefined if it does not exist. */
export function holds(headers: Headers, etag: string | undefined): 'yes' | 'mismatch' | 'unchanged' {
  if (names(headers['if-match'], etag) === false) return 'mismatch'
  if (names(headers['if-none-match'], etag) === true) return 'unchanged'
  return 'yes'
}

/** Refuses a change whose conditions do not hold. */
export function demandConditions(headers: Headers, etag: string | undefined): void {
  if (holds(headers, etag) !== 'yes') failed()
}

export function failed(): never {
  throw new Failure('preconditionFailed', 'It has changed: read it again and use its new ETag.')
}
