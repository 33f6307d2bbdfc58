import { Failure, invalid } from '@icosa/kernel'
import { minutesOf, pace } from '../recurrence/pace.ts'
import { type Frequency, frequencies, type Recurrence } from '../recurrence/recurrence.ts'
import { canonical } from '../spelling/canonical.ts'
import type { QuotaInput } from './contract.ts'

export const skus = ['Standard', 'Free', 'P10Premium', 'P20Premium'] as const
export type Sku = (typeof skus)[number]

export interface Quota {
  readonly maxJobCount?: number
  readonly maxJobOccurrence?: number
  /** No job happens more often. */
  readonly maxRecurrence?: { readonly frequency: Frequency; readonly interval: number }
}

const everyMinute = { frequency: 'Minute', interval: 1 } as const

/** What a collection has whose owner says nothing. */
const usual: Readonly<Record<Sku, Quota>> = {
  Free: { maxJobCount: 5, maxRecurrence: { frequency: 'Hour', interval: 1 } },
  Standard: { maxJobCount: 50, maxRecurrence: everyMinute },
  P10Premium: { maxJobCount: 50, maxRecurrence: everyMinute },
  P20Premium: { maxJobCount: 1_000, maxRecurrence: everyMinute },
}

export function readQuota({ maxRecurrence: asked, ...counts }: QuotaInput): Quota {
  const { frequency, interval = 1 } = asked ?? {}
  if (asked?.interval !== undefined && frequency === undefined) {
    const at = 'body/properties/quota/maxRecurrence/frequency'
    invalid([{ at, message: `is required beside interval: ${frequencies.join(', ')}` }])
  }
  return { ...counts, ...(frequency && { maxRecurrence: { frequency: canonical(frequencies, frequency), interval } }) }
}

/** What holds: the owner's word, and the SKU's where there is none. */
export const quotaOf = (sku: Sku, own: Quota): Quota => ({ ...usual[sku], ...own })

export function checkJobCount({ maxJobCount = Number.POSITIVE_INFINITY }: Quota, jobs: number): void {
  if (jobs > maxJobCount) exceeded('maxJobCount', `it can hold ${maxJobCount} jobs: delete one, or raise the quota`)
}

export function checkRecurrence({ maxJobOccurrence, maxRecurrence }: Quota, recurrence: Recurrence): void {
  const { count = Number.POSITIVE_INFINITY } = recurrence
  if (maxJobOccurrence !== undefined && count > maxJobOccurrence)
    exceeded('maxJobOccurrence', `set recurrence/count to at most ${maxJobOccurrence}, or raise the quota`)
  if (maxRecurrence && pace(recurrence) < minutesOf(maxRecurrence)) {
    const { frequency, interval } = maxRecurrence
    exceeded(
      'maxRecurrence',
      `a job may run at most once in ${interval} x ${frequency}: make it less frequent, or raise the quota`,
    )
  }
}

function exceeded(limit: keyof Quota, message: string): never {
  throw new Failure('conflict', `This exceeds the quota ${limit} of the job collection: ${message}.`, {
    code: 'JobCollectionQuotaExceeded',
  })
}
