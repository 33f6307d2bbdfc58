import { invalid } from '@icosa/kernel'

/** Parses the past time that a caller asks for: an HTTP date or ISO 8601. */
export function readAsOf(headers: { readonly 'accept-datetime'?: string }): Date | undefined {
  const text = headers['accept-datetime']
  if (text === undefined) return undefined
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    invalid([{ at: 'headers/accept-datetime', message: 'must be a date such as Sat, 12 May 2018 02:10:00 GMT' }])
  return at
}

/** Marks a response as a past state, with a link to the current one. */
export const mementoHeaders = (asOf: Date, path: string) => ({
  'memento-datetime': asOf.toUTCString(),
  link: `<${path}>; rel="original"`,
})
