import { Failure } from '@icosa/kernel'

/** What a request demands of the state that it finds. */
export interface Conditions {
  readonly 'if-match'?: string
  readonly 'if-none-match'?: string
}

const tags = (header: string) =>
  header.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^["'](.*)["']$/, '$1'),
  )

/** Whether a header names this state; `*` names any. Undefined if it is not there. */
function names(header: string | undefined, etag: string | undefined): boolean | undefined {
  if (header === undefined) return undefined
  return etag !== undefined && tags(header).some((tag) => tag === '*' || tag === etag)
}

/** Whether the caller knows this state already. Refuses one that is not the state the caller demands. */
export function isUnchanged(conditions: Conditions, etag: string): boolean {
  if (names(conditions['if-match'], etag) === false) failed()
  return names(conditions['if-none-match'], etag) === true
}

/** Refuses a change whose conditions do not hold for something in this state; undefined if it does not exist. */
export function demandConditions(conditions: Conditions, etag: string | undefined): void {
  if (names(conditions['if-match'], etag) === false || names(conditions['if-none-match'], etag) === true) failed()
}

function failed(): never {
  throw new Failure('preconditionFailed', 'The resource has changed: read it again and use its new ETag.')
}
