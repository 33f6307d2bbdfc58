/** Kinds of failure, independent of HTTP: a dialect maps each to a status and body. */
export type Kind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'wrongMethod'
  | 'misdirected'
  | 'alreadyExists'
  | 'conflict'
  | 'preconditionFailed'
  | 'tooLarge'
  | 'lengthRequired'
  | 'unsupportedMediaType'
  | 'rateLimited'
  | 'limitReached'
  | 'notImplemented'
  | 'unavailable'
  | 'internal'

/** One problem with a request: where (`body/location`), and what. */
export interface Detail {
  readonly at: string
  readonly message: string
}

export interface FailureOptions extends ErrorOptions {
  readonly details?: readonly Detail[]
  /** Service-specific error code, such as `GroupNotTrained`; a dialect may show it. */
  readonly code?: string
  readonly retryAfterSeconds?: number
  /** Further service-specific members, for dialects whose errors have any. */
  readonly members?: Readonly<Record<string, unknown>>
}

export class Failure extends Error {
  readonly kind: Kind
  readonly details: readonly Detail[]
  readonly code: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly members: Readonly<Record<string, unknown>>

  constructor(kind: Kind, message: string, options: FailureOptions = {}) {
    super(message, options)
    this.name = 'Failure'
    this.kind = kind
    this.details = options.details ?? []
    this.code = options.code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.members = options.members ?? {}
  }
}

/** Kinds that a retry may resolve: the caller is not to blame, or sent too many requests. */
const transient: ReadonlySet<Kind> = new Set(['unavailable', 'rateLimited', 'internal'])

/** Whether an error is final: a retry would fail in the same way. An outage is not. */
export const isRefusal = (error: unknown): error is Failure => error instanceof Failure && !transient.has(error.kind)

/**
 * The platform cannot work at the moment, for any caller. Not a `Failure`, so that no code mistakes it for a refusal:
 * requests get 503, and jobs run again without counting the attempt.
 */
export class Outage extends Error {
  readonly retryAfterSeconds: number

  constructor(message: string, { retryAfterSeconds = 1, ...options }: OutageOptions = {}) {
    super(message, options)
    this.name = new.target.name
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface OutageOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number
}

/** Error codes of the file system and of PostgreSQL for a full disk or an exhausted quota. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])

export const isStorageFull = (error: unknown) =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))

/** No operation has this path and method: a dialect may map it to its own status. */
export class NoOperation extends Failure {}

export function notFound(noun: string, name: string): never {
  throw new Failure('notFound', `The ${noun} '${name}' was not found.`)
}

export function invalid(details: readonly Detail[]): never {
  throw new Failure('invalid', details.map(({ at, message }) => `${at} ${message}`).join('; '), { details })
}
