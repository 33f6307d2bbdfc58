import { Failure } from '@icosa/kernel'
import { usageHeaders } from '../names.ts'

/** A tenant's usage in a month. */
export interface Usage {
  readonly used: number
  /** Undefined if unlimited. */
  readonly quota: number | undefined
  readonly nextBillingDate: Date
}

/** The first day of the month, and the first day of the next one. */
export function monthOf(now: Date): { readonly month: string; readonly next: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return {
    month: new Date(Date.UTC(year, month)).toISOString().slice(0, 10),
    next: new Date(Date.UTC(year, month + 1)),
  }
}

/** In both spellings for every caller. */
export function headersOf({ used, quota, nextBillingDate }: Usage, latencyMs?: number): Record<string, string> {
  const values: Readonly<Record<keyof typeof usageHeaders, string | undefined>> = {
    usage: String(used),
    freeQuota: quota === undefined ? undefined : String(quota),
    nextBillingDate: nextBillingDate.toISOString().replace('Z', '+00:00'),
    latencySeconds: latencyMs === undefined ? undefined : (latencyMs / 1000).toFixed(3),
  }
  const headers: Record<string, string> = {}
  for (const [field, names] of Object.entries(usageHeaders)) {
    const value = values[field as keyof typeof usageHeaders]
    if (value !== undefined) for (const name of names) headers[name] = value
  }
  return headers
}

export class QuotaExceeded extends Failure {
  readonly headers: Readonly<Record<string, string>>

  constructor(usage: Usage, now: Date) {
    const { quota, nextBillingDate } = usage
    const message = `This month's quota of ${quota} requests is used up: the next month starts at ${nextBillingDate.toISOString()}.`
    super('rateLimited', message, {
      retryAfterSeconds: Math.ceil((nextBillingDate.getTime() - now.getTime()) / 1000),
    })
    this.headers = headersOf(usage)
  }
}
