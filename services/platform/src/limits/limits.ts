import { type Admission, every, Failure, type OnStop, type Platform, rateLimiter } from '@icosa/kernel'
import { listLimits } from './store.ts'

export interface Limits {
  readonly admit: Admission
  /** Reads again what operators allow. */
  refresh(): Promise<void>
}

/** How old a node's limits may be; one without requests reads them less often, so that an idle cell costs little. */
const refreshMs = { asked: 2_000, idle: 10_000 }

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
  let readAt = 0
  const keyOf = (tenant: string, service: string) => `${tenant} ${service}`

  async function refresh(): Promise<void> {
    readAt = performance.now()
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
  const onError = (err: unknown) => log.warn({ err }, 'limits were not read')
  onStop(every(refreshMs.idle, refresh, onError))
  return {
    refresh,
    admit(tenant, service) {
      if (performance.now() - readAt > refreshMs.asked) refresh().catch(onError)
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
