import { invalid } from '@icosa/kernel'
import { canonical } from '../spelling/canonical.ts'
import type { RetryPolicy } from './action.ts'
import type { RetryPolicyInput } from './contract.ts'

const retryTypes = ['None', 'Fixed'] as const

const defaultInterval = 'PT30S'
const defaultCount = 4

const maxMs = 548 * 86_400_000

export function readRetryPolicy(
  { retryType = 'Fixed', retryInterval, retryCount }: RetryPolicyInput,
  at: string,
): RetryPolicy {
  if (retryInterval !== undefined) {
    const ms = durationMs(retryInterval)
    if (ms === undefined || ms < 1_000 || ms > maxMs)
      invalid([
        {
          at: `${at}/retryInterval`,
          message: 'must be an ISO 8601 duration from one second to 548 days, such as PT30S',
        },
      ])
  }
  return {
    retryType: canonical(retryTypes, retryType),
    ...(retryInterval !== undefined && { retryInterval }),
    ...(retryCount !== undefined && { retryCount }),
  }
}

/** Returns the pause after a failed attempt; undefined if it was the last. Attempts count from 0. */
export function retryPauseMs(policy: RetryPolicy = { retryType: 'Fixed' }, attempt: number): number | undefined {
  const { retryType, retryInterval = defaultInterval, retryCount = defaultCount } = policy
  return retryType === 'None' || attempt >= retryCount ? undefined : durationMs(retryInterval)
}

const units = {
  years: 365 * 86_400,
  months: 30 * 86_400,
  weeks: 7 * 86_400,
  days: 86_400,
  hours: 3_600,
  minutes: 60,
  seconds: 1,
}

const duration =
  /^P(?=.)(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=.)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/

/** Returns undefined for other texts. A month counts as 30 days, a year as 365. */
export function durationMs(text: string): number | undefined {
  const parts = duration.exec(text)?.groups
  if (!parts) return undefined
  return Object.entries(units).reduce((sum, [name, seconds]) => sum + Number(parts[name] ?? 0) * seconds * 1_000, 0)
}
