import { Failure, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import type { UnpackSettings } from '../settings.ts'
import { refund, reserve, type Usage } from './store.ts'

const hourMs = 3_600_000
/** Row shared by all anonymous callers. */
const allAnonymous = '*'

/** Hourly budgets of CPU time and stored bytes, for each caller and over all nodes. */
export interface Budgets {
  /** Stores up to `maxBytes` within the caller's budget, and refunds what `store` did not use. */
  forBytes<T extends { readonly size: number }>(tenant: string, maxBytes: number, store: () => Promise<T>): Promise<T>
  /** Computes for up to `maxMs`, measured from the call of `onStart`: time in a queue is free. */
  forCpu<T>(tenant: string, maxMs: number, compute: (onStart: () => void) => Promise<T>): Promise<T>
}

export function openBudgets(platform: Platform, settings: UnpackSettings): Budgets {
  const { cpuMs, bytes, anonymousBytes } = settings
  const write = <T>(tenant: string, work: Parameters<typeof platform.transaction<T>>[2]) =>
    platform.transaction(serviceName, tenant, work)

  /** Reserves before the work, so that concurrent calls cannot exceed a budget. Returns a function that settles it. */
  async function reserveBudget(tenant: string, amount: Usage): Promise<(used: Usage) => Promise<void>> {
    const now = platform.clock.now().getTime()
    const hour = new Date(now - (now % hourMs))
    const retryAfterSeconds = Math.ceil((hour.getTime() + hourMs - now) / 1_000)
    const isShared = tenant.startsWith('address ') && amount.bytes > 0
    await write(tenant, async (db) => {
      if (!(await reserve(db, tenant, hour, amount, { cpuMs, bytes })))
        throw new Failure('rateLimited', refusal(amount, settings), { retryAfterSeconds })
      // The shared row is always locked last, to prevent deadlocks.
      if (isShared && !(await reserve(db, allAnonymous, hour, amount, { cpuMs, bytes: anonymousBytes })))
        throw new Failure('unavailable', 'The storage for callers without a key is used up for this hour.', {
          retryAfterSeconds,
        })
    })
    return (used) => {
      const unused = { cpuMs: amount.cpuMs - used.cpuMs, bytes: amount.bytes - used.bytes }
      const refunding = write(tenant, async (db) => {
        await refund(db, tenant, hour, unused)
        if (isShared) await refund(db, allAnonymous, hour, unused)
      })
      return refunding.catch((err) => platform.log.warn({ err }, 'an unused reservation could not be refunded'))
    }
  }

  return {
    async forBytes(tenant, maxBytes, store) {
      const settle = await reserveBudget(tenant, { cpuMs: 0, bytes: maxBytes })
      let used = 0
      try {
        const stored = await store()
        used = stored.size
        return stored
      } finally {
        await settle({ cpuMs: 0, bytes: used })
      }
    },
    async forCpu(tenant, maxMs, compute) {
      const settle = await reserveBudget(tenant, { cpuMs: maxMs, bytes: 0 })
      let startedAt = Number.POSITIVE_INFINITY
      try {
        return await compute(() => {
          startedAt = performance.now()
        })
      } finally {
        const elapsedMs = Math.ceil(Math.max(0, performance.now() - startedAt))
        await settle({ cpuMs: Math.min(maxMs, elapsedMs), bytes: 0 })
      }
    },
  }
}

const refusal = ({ cpuMs }: Usage, settings: UnpackSettings) =>
  cpuMs > 0
    ? `Your budget of ${settings.cpuMs / 1_000} s of CPU in an hour is used up: try again later.`
    : `Your budget of ${settings.bytes / 2 ** 20} MB of uploads in an hour is used up: try again later.`
