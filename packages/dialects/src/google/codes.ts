import type { Kind } from '@icosa/kernel'
import { statusOf } from '../status.ts'

/** Canonical codes, indexed by number. */
const canonical = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

export type Canonical = (typeof canonical)[number]

export const numberOf = (code: Canonical): number => canonical.indexOf(code)

const codes: Readonly<Record<Kind, Canonical>> = {
  invalid: 'INVALID_ARGUMENT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  notFound: 'NOT_FOUND',
  wrongMethod: 'UNIMPLEMENTED',
  alreadyExists: 'ALREADY_EXISTS',
  conflict: 'ABORTED',
  preconditionFailed: 'FAILED_PRECONDITION',
  tooLarge: 'INVALID_ARGUMENT',
  lengthRequired: 'INVALID_ARGUMENT',
  unsupportedMediaType: 'INVALID_ARGUMENT',
  misdirected: 'UNAVAILABLE',
  rateLimited: 'RESOURCE_EXHAUSTED',
  limitReached: 'RESOURCE_EXHAUSTED',
  notImplemented: 'UNIMPLEMENTED',
  unavailable: 'UNAVAILABLE',
  internal: 'INTERNAL',
}

export const canonicalOf = (kind: Kind): Canonical => codes[kind]

/** This family has no 412: failed preconditions return 400, exhausted quotas 429. */
export const httpStatusOf = (kind: Kind): number =>
  kind === 'preconditionFailed' ? 400 : kind === 'limitReached' ? 429 : statusOf[kind]
