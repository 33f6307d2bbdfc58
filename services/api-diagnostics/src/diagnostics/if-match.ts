import { randomBytes } from 'node:crypto'
import { Failure, invalid } from '@icosa/kernel'

/** What a caller asks of the current state: nothing, anything, or one of these ETags. */
export type IfMatch = 'absent' | 'any' | readonly string[]

/** A strong ETag that no other state has or had, not even that of a deleted diagnostic of the same name. */
export const newEtag = () => `"${randomBytes(12).toString('base64url')}"`

const list = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/

export function readIfMatch(header: string | undefined): IfMatch {
  const value = header?.trim() ?? ''
  if (value === '') return 'absent'
  if (value === '*') return 'any'
  if (!list.test(value))
    invalid([{ at: 'headers/if-match', message: 'must be * or a quoted ETag, as returned by GET' }])
  // If-Match compares strongly: a weak ETag fits nothing.
  return [...value.matchAll(/(W\/)?("[^"]*")/g)].flatMap(([, weak, etag = '']) => (weak ? [] : [etag]))
}

/** For operations that must not overwrite by accident what the caller has not seen. */
export function demandMatch(ifMatch: IfMatch, etag: string): void {
  if (ifMatch === 'absent')
    invalid([{ at: 'headers/if-match', message: 'is required: send the ETag from GET or HEAD, or * for any' }])
  if (ifMatch !== 'any' && !ifMatch.includes(etag)) staleEtag()
}

export function staleEtag(): never {
  throw new Failure(
    'preconditionFailed',
    'The diagnostic has changed since it was read: read it again and repeat the change.',
  )
}
