import { isStorageFull, Outage } from '../../errors.ts'

/** Fails fast: the database is unreachable, or too many callers wait for it. */
export class DatabaseUnavailable extends Outage {}

export const unreachable = 'The database cannot be reached: try again in a moment.'

// Errors of the driver that have no code.
const lostConnection =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout expired|Query read timeout)/
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Whether an error of a server tells of its absence rather than of what was asked. */
export function isAbsence({ code = '', message }: Error & { code?: string }): boolean {
  return /^(08|57P|53)/.test(code) || networkErrors.has(code) || lostConnection.test(message)
}

/** The disk of this node. That of another server has PostgreSQL's code, and may be the server of a tenant's database. */
const isNodeFull = (error: Error & { code?: string }) => isStorageFull(error) && error.code !== '53100'

const outages = new WeakSet<Error>()

/** Notes that an error came from our own database: that another server refused us looks the same. */
export function ofDatabase<E extends Error>(error: E): E {
  if (isAbsence(error)) outages.add(error)
  return error
}

/** Whether our own database could not be reached, or had no connection free: it may answer again within seconds. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && (error instanceof DatabaseUnavailable || outages.has(error)) && !isStorageFull(error)

/** Whether an error is an outage of the platform itself, or was caused by one. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof Outage || outages.has(error) || isNodeFull(error) || isOutage(error.cause)
}
