import { invalid } from '@icosa/kernel'
import type { Headers } from './signature.ts'

/** The past time of which a caller wants to know, as `Accept-Datetime` says it: an HTTP date or ISO 8601. */
export function readAsOf(headers: Headers): Date | undefined {
  const text = headers['accept-datetime']
  if (text === undefined) return undefined
  const at = new Date(String(text))
  if (Number.isNaN(at.getTime()))
    invalid([{ at: 'headers/accept-datetime', message: 'must be a date such as Sat, 12 May 2018 02:10:00 GMT' }])
  return at
}

/** Says of an answer that it is of the past, and where the present is. */
export function mementoHeaders(asOf: Date | undefined): Readonly<Record<string, string>> {
  return asOf ? { 'memento-datetime': asOf.toUTCString() } : {}
}
