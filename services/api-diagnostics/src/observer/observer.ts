import type { Platform, RequestObserver } from '@icosa/kernel'
import { acting } from '../diagnostics/store.ts'
import { type Acting, linesFor } from '../sampling/line.ts'
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

  return (tenant, service, exchange) => {
    if (!log.isLevelEnabled('info')) return
    // Neither a tenant's name nor a service's holds a '/'.
    settings(`${tenant}/${service}`, (all) => {
      if (all.length === 0) return
      try {
        for (const line of linesFor(all, exchange(), { tenant, service })) log.info(line, 'diagnostic')
      } catch (error) {
        onError(error)
      }
    })
  }
}
