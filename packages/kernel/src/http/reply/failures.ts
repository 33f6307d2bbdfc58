import { isAbsence, unreachable } from '../../db/connection/unavailable.ts'
import { Misdirected } from '../../db/fence/states.ts'
import { unreservedName } from '../../db/reservation.ts'
import { Failure, isStorageFull, Outage } from '../../errors.ts'

/** Maps any error to a `Failure`. Unexpected errors stay private: the caller only learns that the platform failed. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Outage)
    return new Failure('unavailable', error.message, { cause: error, retryAfterSeconds: error.retryAfterSeconds })
  if (!(error instanceof Error)) return ourFault(error)
  if (isStorageFull(error)) return new Failure('unavailable', full, { cause: error, retryAfterSeconds: 60 })
  return fromServer(error) ?? fromPostgres(error) ?? ourFault(error)
}

/** Headers of a failure in any dialect. */
export function failureHeaders(failure: Failure): Record<string, string> {
  const { retryAfterSeconds } = failure
  if (failure instanceof Misdirected) return { 'icosa-cell': failure.cell }
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
}

const full = 'The storage of this server is full: try again later.'

const unreserved = 'This server cannot reserve new names at the moment: try again later.'

const ourFault = (cause: unknown) => new Failure('internal', 'Something went wrong on our side.', { cause })

/** Errors of the HTTP layer, such as oversized bodies and invalid framing. */
function fromServer(error: Error & { statusCode?: number }): Failure | undefined {
  if (error.statusCode === 413) return new Failure('tooLarge', 'The request body is too large.')
  if (error.statusCode !== undefined && error.statusCode < 500) return new Failure('invalid', error.message)
  return undefined
}

/** PostgreSQL errors caused by the request or an outage rather than by our code. */
function fromPostgres(error: Error & { code?: string }): Failure | undefined {
  const { code = '' } = error
  const dataException = /^22\w{3}$/
  if (dataException.test(code))
    return new Failure('invalid', 'A value cannot be stored: check text for U+0000 and numbers for their size.', {
      cause: error,
    })
  if (unreservedName(error)) return new Failure('unavailable', unreserved, { cause: error, retryAfterSeconds: 60 })
  if (!isAbsence(error)) return undefined
  return new Failure('unavailable', unreachable, { cause: error, retryAfterSeconds: 1 })
}
