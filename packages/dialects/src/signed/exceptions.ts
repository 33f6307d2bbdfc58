import type { Kind } from '@icosa/kernel'

/** Name and status of an exception. */
export type Exception = readonly [name: string, status: number]

export interface Exceptions {
  /** Overrides of the default names. */
  readonly kinds?: Partial<Readonly<Record<Kind, Exception>>>
  /** Statuses of exceptions that a failure names by its `code`; defaults to that of its kind. */
  readonly codes?: Readonly<Record<string, number>>
}

export const kindsOf = ({ kinds }: Exceptions): Readonly<Record<Kind, Exception>> => ({ ...defaults, ...kinds })
export const codesOf = ({ codes }: Exceptions): Readonly<Record<string, number>> => ({ ...signatureErrors, ...codes })

export function statusesOf(exceptions: Exceptions): number[] {
  const all = [...Object.values(kindsOf(exceptions)).map(([, status]) => status), ...Object.values(codesOf(exceptions))]
  return [...new Set(all)].sort((a, b) => a - b)
}

const defaults: Readonly<Record<Kind, Exception>> = {
  invalid: ['ValidationException', 400],
  unauthenticated: ['MissingAuthenticationTokenException', 403],
  forbidden: ['AccessDeniedException', 403],
  notFound: ['ResourceNotFoundException', 404],
  wrongMethod: ['MethodNotAllowedException', 405],
  alreadyExists: ['AlreadyExistsException', 409],
  conflict: ['ConflictException', 409],
  preconditionFailed: ['PreconditionFailedException', 412],
  tooLarge: ['RequestEntityTooLargeException', 413],
  lengthRequired: ['LengthRequiredException', 411],
  unsupportedMediaType: ['UnsupportedMediaTypeException', 415],
  misdirected: ['MisdirectedRequestException', 421],
  rateLimited: ['ThrottlingException', 429],
  limitReached: ['LimitExceededException', 400],
  notImplemented: ['NotImplementedException', 501],
  unavailable: ['ServiceUnavailableException', 503],
  internal: ['InternalFailureException', 500],
}

/** Signature errors, with the same names in all services of this family. */
const signatureErrors = {
  IncompleteSignatureException: 400,
  InvalidSignatureException: 403,
  UnrecognizedClientException: 403,
  ExpiredTokenException: 403,
}
