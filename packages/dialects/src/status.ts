import type { Kind } from '@icosa/kernel'

/** Default HTTP status of each kind of failure. */
export const statusOf: Readonly<Record<Kind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  wrongMethod: 405,
  alreadyExists: 409,
  conflict: 409,
  preconditionFailed: 412,
  tooLarge: 413,
  lengthRequired: 411,
  unsupportedMediaType: 415,
  misdirected: 421,
  rateLimited: 429,
  limitReached: 403,
  notImplemented: 501,
  unavailable: 503,
  internal: 500,
}

/** These statuses, for the contracts of dialects. */
export const errorStatuses: readonly number[] = [...new Set(Object.values(statusOf))].sort((a, b) => a - b)
