import type { ObservedExchange, Platform, RequestObserver } from '@icosa/kernel'
import { type Acting, acting } from '../diagnostics/store.ts'
import { lineFor } from '../sampling/line.ts'
import { believed } from './believed.ts'

/** How long a node goes on by the settings that it has read. */
export const believedMs = 1_000
/** So many diagnostics act on a service, the first by name: each may write a line for every request. */
export const actingLimit = 10
const rememberedLimit = 100_000

/** Writes to the node's log what the diagnostics of the caller's tenant ask for. */
export function diagnosticObserver({ database, log }: Pick<Platform, 'database' | 'log'>): RequestObserver {
  const onError = (error: unknown) => log.warn({ err: error }, 'diagnostics')
  const settings = believed<readonly Acting[]>({
    forMs: believedMs,
    most: rememberedLimit,
    async find(key) {
      const [tenant = '', service = ''] = key.split('/')
      return acting(database, tenant, service, actingLimit)
    },
    otherwise: [],
    onError,
  })

  function write(tenant: string, service: string, all: readonly Acting[], exchange: ObservedExchange): void {
    for (const { name, settings: own } of all) {
      const line = lineFor(own, exchange)
      if (line) log.info({ diagnostic: name, loggerId: own.loggerId, tenant, service, ...line }, 'diagnostic')
    }
  }

  return (tenant, service, exchange) => {
    if (!log.isLevelEnabled('info')) return
    // Neither a tenant's name nor a service's holds a '/'.
    settings(`${tenant}/${service}`, (all) => {
      if (all.length === 0) return
      try {
        write(tenant, service, all, exchange())
      } catch (error) {
        onError(error)
      }
    })
  }
}
