import { invalid } from '@icosa/kernel'

/** A parsed time. */
export interface Moment {
  readonly instant: Date
  /** With seconds and an offset, for responses. */
  readonly text: string
  /** `+01:00`; undefined in UTC. */
  readonly offset?: string
}

const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d\d:\d\d)?)?$/

/** Parses ISO 8601, in UTC unless it has an offset. */
export function readMoment(text: string, at: string): Moment {
  const [, date, time = '00:00', seconds = '00', fraction = '', offset = 'Z'] = parts.exec(text) ?? []
  const local = `${date}T${time}:${seconds}${fraction && `.${fraction.padEnd(3, '0')}`}`
  const asUtc = new Date(`${local}Z`)
  const instant = new Date(local + offset)
  // JavaScript parses 30 February as 2 March.
  const exists = !Number.isNaN(instant.getTime()) && asUtc.toISOString().startsWith(local)
  if (!exists || instant.getUTCFullYear() < 1970 || instant.getUTCFullYear() > 9999)
    invalid([{ at, message: `must be a time between 1970 and 9999, such as 2026-03-29T06:00:00Z, not ${text}` }])
  return { instant, text: local + offset, ...(offset !== 'Z' && { offset }) }
}
