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
  /** Maximum rate of any job. */
  readonly maxRecurrence?: { readonly frequency: Frequency; readonly interval: number }
}

const everyMinute = { frequency: 'Minute', interval: 1 } as const

/** Defaults by SKU. */
const defaults: Readonly<Record<Sku, Quota>> = {
  Free: { maxJobCount: 5, maxRecurrence: { frequency: 'Hour', interval: 1 } },
  Standard: { maxJobCount: 50, maxRecurrence: everyMinute },
  P10Premium: { maxJobCount: 50, maxRecurrence: everyMinute },
  P20Premium: { maxJobCount: 1_000, maxRecurrence: everyMinute },
}

export function readQuota({ maxRecurrence: recurrence, ...counts }: QuotaInput): Quota {
  const { frequency, interval = 1 } = recurrence ?? {}
  if (recurrence?.interval !== undefined && frequency === undefined) {
    const at = 'body/properties/quota/maxRecurrence/frequency'
    invalid([{ at, message: `is required with interval: ${frequencies.join(', ')}` }])
  }
  return { ...counts, ...(frequency && { maxRecurrence: { frequency: canonical(frequencies, frequency), interval } }) }
}

/** Returns the effective quota: the owner's, or the default of the SKU. */
export const quotaOf = (sku: Sku, own: Quota): Quota => ({ ...defaults[sku], ...own })

export function checkJobCount({ maxJobCount = Number.POSITIVE_INFINITY }: Quota, jobs: number): void {
  if (jobs > maxJobCount) exceeded('maxJobCount', `it can have ${maxJobCount} jobs: delete one, or raise the quota`)
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
