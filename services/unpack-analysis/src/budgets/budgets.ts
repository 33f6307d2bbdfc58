import { Failure, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import type { UnpackSettings } from '../settings.ts'
import { refund, reserve, type Usage } from './store.ts'

const hourMs = 3_600_000
/** The row of all anonymous callers together. */
const everyone = '*'

/** Hourly budgets of CPU time and stored bytes, for each caller and over all nodes. */
export interface Budgets {
  /** Stores bytes within the caller's budget: up to `maxBytes`, of which those that `store` did not report are given back. */
  forBytes<T extends { readonly size: number }>(tenant: string, maxBytes: number, store: () => Promise<T>): Promise<T>
  /** Computes for up to `maxMs`, counted from the call of `begin`: time in a queue costs nothing. */
  forCpu<T>(tenant: string, maxMs: number, compute: (begin: () => void) => Promise<T>): Promise<T>
}

export function openBudgets(platform: Platform, settings: UnpackSettings): Budgets {
  const { cpuMs, bytes, anonymousBytes } = settings
  const write = <T>(tenant: string, work: Parameters<typeof platform.transaction<T>>[2]) =>
    platform.transaction(serviceName, tenant, work)

  /** Reserves before the work, so calls at the same time cannot pass a check together. Returns what settles the reservation. */
  async function reserved(tenant: string, amount: Usage): Promise<(used: Usage) => Promise<void>> {
    const now = platform.clock.now().getTime()
    const hour = new Date(now - (now % hourMs))
    const retryAfterSeconds = Math.ceil((hour.getTime() + hourMs - now) / 1_000)
    const isShared = tenant.startsWith('address ') && amount.bytes > 0
    await write(tenant, async (db) => {
      if (!(await reserve(db, tenant, hour, amount, { cpuMs, bytes })))
        throw new Failure('rateLimited', refusal(amount, settings), { retryAfterSeconds })
      // The row of all is locked last, here and below, so that no two wait for each other.
      if (isShared && !(await reserve(db, everyone, hour, amount, { cpuMs, bytes: anonymousBytes })))
        throw new Failure('unavailable', 'The storage for callers without a key is used up for this hour.', {
          retryAfterSeconds,
        })
    })
    return (used) => {
      const unused = { cpuMs: amount.cpuMs - used.cpuMs, bytes: amount.bytes - used.bytes }
      const refunded = write(tenant, async (db) => {
        await refund(db, tenant, hour, unused)
        if (isShared) await refund(db, everyone, hour, unused)
      })
      return refunded.catch((err) => platform.log.warn({ err }, 'an unused part of a budget was not given back'))
    }
  }

  return {
    async forBytes(tenant, maxBytes, store) {
      const settle = await reserved(tenant, { cpuMs: 0, bytes: maxBytes })
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
      const settle = await reserved(tenant, { cpuMs: maxMs, bytes: 0 })
      let begun = Number.POSITIVE_INFINITY
      try {
        return await compute(() => {
          begun = performance.now()
        })
      } finally {
        const elapsedMs = Math.ceil(Math.max(0, performance.now() - begun))
        await settle({ cpuMs: Math.min(maxMs, elapsedMs), bytes: 0 })
      }
    },
  }
}

const refusal = ({ cpuMs }: Usage, settings: UnpackSettings) =>
  cpuMs > 0
    ? `Your budget of ${settings.cpuMs / 1_000} s of CPU in an hour is used up: try again later.`
    : `Your budget of ${settings.bytes / 2 ** 20} MB of uploads in an hour is used up: try again later.`
