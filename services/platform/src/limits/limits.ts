import { type Admission, every, Failure, type OnStop, type Platform, rateLimiter } from '@icosa/kernel'
import { listLimits } from './store.ts'

export interface Limits {
  readonly admit: Admission
  refresh(): Promise<void>
}

/** Maximum age of a node's limits; an idle node refreshes less often. */
const refreshMs = { busy: 2_000, idle: 10_000 }

interface Limited {
  readonly amount: number
  readonly count: (tenant: string) => void
}

/**
 * Counts the requests of tenants that have a limit. Resources and blobs are counted by the database.
 */
export async function openLimits({ database, log }: Platform, onStop: OnStop): Promise<Limits> {
  let limited = new Map<string, Limited>()
  let readAt = 0
  const keyOf = (tenant: string, service: string) => `${tenant} ${service}`

  async function refresh(): Promise<void> {
    readAt = performance.now()
    const limits = await listLimits(database, { kind: 'requests' })
    limited = new Map(
      limits.map(({ tenant, service, amount }) => {
        const key = keyOf(tenant, service)
        const previous = limited.get(key)
        return [key, previous?.amount === amount ? previous : { amount, count: counter(amount) }]
      }),
    )
  }

  await refresh()
  const onError = (err: unknown) => log.warn({ err }, 'cannot read limits')
  onStop(every(refreshMs.idle, refresh, onError))
  return {
    refresh,
    admit(tenant, service) {
      if (performance.now() - readAt > refreshMs.busy) refresh().catch(onError)
      if (limited.size === 0) return
      limited.get(keyOf(tenant, service))?.count(tenant)
      limited.get(keyOf(tenant, '*'))?.count(tenant)
    },
  }
}

/** The burst is one second of requests. */
function counter(amount: number): (tenant: string) => void {
  if (amount > 0) return rateLimiter({ perSecond: amount, burst: amount })
  return () => {
    throw new Failure('limitReached', 'The operator allows you no requests here.')
  }
}
