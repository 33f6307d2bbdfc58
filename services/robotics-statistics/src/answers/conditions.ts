import { Failure, recentlyUsed } from '@icosa/kernel'
import { onlyModifiedSince } from '../names.ts'

export type Coding = 'identity' | 'gzip' | 'br'

/** Headers that determine a response, besides its target. */
export interface Conditions {
  readonly 'if-modified-since'?: string
  readonly 'if-none-match'?: string
  readonly 'fms-onlymodifiedsince'?: string
  readonly 'accept-encoding'?: string
}

export function refuseBoth(conditions: Conditions): void {
  if (conditions['if-modified-since'] !== undefined && conditions['fms-onlymodifiedsince'] !== undefined)
    throw new Failure('invalid', `Send If-Modified-Since or ${onlyModifiedSince}, not both.`)
}

/** Parses an HTTP date to seconds since 1970. Undefined if it is invalid or in the future, as RFC 9110 demands. */
export function secondsOf(date: string | undefined, now: number): number | undefined {
  if (date === undefined) return undefined
  let seconds = dates.get(date)
  if (seconds === undefined) {
    seconds = Date.parse(date) / 1_000
    if (Number.isNaN(seconds) || httpDate(seconds) !== date) return undefined
    dates.set(date, seconds)
  }
  return seconds > now ? undefined : seconds
}

/** Polling clients send the same few dates. */
const dates = recentlyUsed<number>('robotics-statistics dates', 1_000)

export const httpDate = (seconds: number) => new Date(seconds * 1_000).toUTCString()

const codings = recentlyUsed<Coding>('robotics-statistics codings', 200)

/** Content negotiation: the smallest coding that the client accepts. */
export function codingFor(accepted: string | undefined): Coding {
  if (accepted === undefined) return 'identity'
  let coding = codings.get(accepted)
  if (coding === undefined) {
    coding = negotiate(accepted)
    codings.set(accepted, coding)
  }
  return coding
}

function negotiate(accepted: string): Coding {
  const weights = new Map(
    accepted.split(',').map((entry): [string, number] => {
      const [name = '', ...rest] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = rest.find((part) => part.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}
