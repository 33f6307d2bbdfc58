/** The kinds of failure. They know nothing of HTTP: a dialect gives each its status and body. */
export type Kind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'wrongMethod'
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

/** One thing wrong with a request: where (`body/location`), and what. */
export interface Detail {
  readonly at: string
  readonly message: string
}

export interface FailureOptions extends ErrorOptions {
  readonly details?: readonly Detail[]
  /** A name of the service's own for this failure, such as `GroupNotTrained`; a dialect may show it. */
  readonly code?: string
  readonly retryAfterSeconds?: number
  /** Further facts under names of the service's own, for dialects whose errors have any. */
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

/** What may be otherwise at the next attempt: the caller is not to blame, or came too often. */
const transient: ReadonlySet<Kind> = new Set(['unavailable', 'rateLimited', 'internal'])

/** Whether an error is the outcome of a request or a job, and would be the same at the next attempt. An outage is not. */
export const isRefusal = (error: unknown): error is Failure => error instanceof Failure && !transient.has(error.kind)

/**
 * The platform itself cannot go on at the moment, for anyone. Not a `Failure`, so that no code takes it for a refusal: requests
 * are answered with 503, and jobs run again without counting the attempt.
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

/** Codes of the file system and of PostgreSQL for a full disk, and for a file system's quota that is used up. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])

export const isStorageFull = (error: unknown) =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))

/** Nothing is at this path, or it does not take the method: a dialect may have a status of its own for that. */
export class NoOperation extends Failure {}

export function notFound(noun: string, name: string): never {
  throw new Failure('notFound', `The ${noun} '${name}' was not found.`)
}

export function invalid(details: readonly Detail[]): never {
  throw new Failure('invalid', details.map(({ at, message }) => `${at} ${message}`).join('; '), { details })
}
