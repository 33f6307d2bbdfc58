import { Failure, recentlyUsed } from '@icosa/kernel'
import { onlyModifiedSince } from '../names.ts'

export type Coding = 'identity' | 'gzip' | 'br'

/** What an answer depends on beside its address. */
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

/** Seconds since 1970. A date that is none, has another day of the week or is still to come says nothing. */
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

/** Everybody who polls sends the same few. */
const dates = recentlyUsed<number>('robotics-statistics dates', 1_000)

export const httpDate = (seconds: number) => new Date(seconds * 1_000).toUTCString()

const codings = recentlyUsed<Coding>('robotics-statistics codings', 200)

/** The smallest coding that a caller takes. */
export function codingFor(accepted: string | undefined): Coding {
  if (accepted === undefined) return 'identity'
  let coding = codings.get(accepted)
  if (coding === undefined) {
    coding = chosen(accepted)
    codings.set(accepted, coding)
  }
  return coding
}

function chosen(accepted: string): Coding {
  const weights = new Map(
    accepted.split(',').map((one): [string, number] => {
      const [name = '', ...rest] = one
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = rest.find((part) => part.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  const takes = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}
