import { Failure } from '@icosa/kernel'
import { onlyModifiedSince } from '../names.ts'
import type { Coding } from './answer.ts'

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
export function secondsOf(date: string | undefined, now: Date): number | undefined {
  if (date === undefined) return undefined
  const ms = Date.parse(date)
  if (Number.isNaN(ms) || ms > now.getTime() || httpDate(ms / 1_000) !== date) return undefined
  return ms / 1_000
}

export const httpDate = (seconds: number) => new Date(seconds * 1_000).toUTCString()

const remembered = new Map<string, Coding>()

/** The smallest coding that a caller takes. */
export function codingFor(accepted: string | undefined): Coding {
  if (accepted === undefined) return 'identity'
  const known = remembered.get(accepted)
  if (known) return known
  const coding = chosen(accepted)
  if (remembered.size < 200) remembered.set(accepted, coding) // few kinds of clients send all there is
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
