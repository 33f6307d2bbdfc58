import { type Admission, every, Failure, type OnStop, type Platform, rateLimiter } from '@icosa/kernel'
import { listLimits } from './store.ts'

export interface Limits {
  readonly admit: Admission
  /** Reads again what operators allow. */
  refresh(): Promise<void>
}

/** So old may be what a node knows of the limits. */
const refreshMs = 2_000

interface Limited {
  readonly amount: number
  readonly count: (tenant: string) => void
}

/**
 * Counts the requests of tenants that have a limit. Of resources, the database itself counts those that are registered, and of
 * blobs those that are written.
 */
export async function openLimits({ database, log }: Platform, onStop: OnStop): Promise<Limits> {
  let known = new Map<string, Limited>()
  const keyOf = (tenant: string, service: string) => `${tenant} ${service}`

  async function refresh(): Promise<void> {
    const limits = await listLimits(database, { kind: 'requests' })
    known = new Map(
      limits.map(({ tenant, service, amount }) => {
        const key = keyOf(tenant, service)
        const before = known.get(key)
        return [key, before?.amount === amount ? before : { amount, count: counter(amount) }]
      }),
    )
  }

  await refresh()
  onStop(every(refreshMs, refresh, (err) => log.warn({ err }, 'limits were not read')))
  return {
    refresh,
    admit(tenant, service) {
      if (known.size === 0) return
      known.get(keyOf(tenant, service))?.count(tenant)
      known.get(keyOf(tenant, '*'))?.count(tenant)
    },
  }
}

/** As many at once as in a second. */
function counter(amount: number): (tenant: string) => void {
  if (amount > 0) return rateLimiter({ perSecond: amount, burst: amount })
  return () => {
    throw new Failure('limitReached', 'The operator allows you no requests here.')
  }
}
