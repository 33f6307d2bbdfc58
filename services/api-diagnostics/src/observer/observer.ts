import { expiringCache, type Platform, type RequestObserver } from '@icosa/kernel'
import { activeDiagnostics } from '../diagnostics/store.ts'
import { type ActiveDiagnostic, linesFor } from '../sampling/line.ts'

/** How long a node goes on by the settings that it has read. */
export const rememberedMs = 1_000
/** So many diagnostics act on a service, the first by name: each may write a line for every request. */
export const activeLimit = 10
const rememberedLimit = 100_000

/** Writes to the node's log what the diagnostics of the caller's tenant ask for. */
export function diagnosticObserver({ database, log }: Pick<Platform, 'database' | 'log'>): RequestObserver {
  // Whoever created a diagnostic wants to see its lines, however quiet the log is otherwise: development mode's is.
  const asked = log.child({}, { level: 'info' })
  const onError = (error: unknown) => log.warn({ err: error }, 'diagnostics')
  const settings = expiringCache<readonly ActiveDiagnostic[]>({
    name: 'api-diagnostics settings',
    forMs: rememberedMs,
    limit: rememberedLimit,
    find(key) {
      const [tenant = '', service = ''] = key.split('/')
      return activeDiagnostics(database, tenant, service, activeLimit).catch((error) => {
        onError(error)
        return [] // so that a database that is away is asked once a second, not by every request
      })
    },
  })

  return (tenant, service, exchange) => {
    const write = (all: readonly ActiveDiagnostic[]) => {
      if (all.length === 0) return
      try {
        for (const line of linesFor(all, exchange(), { tenant, service })) asked.info(line, 'diagnostic')
      } catch (error) {
        onError(error)
      }
    }
    // Neither a tenant's name nor a service's holds a '/'.
    const all = settings.get(`${tenant}/${service}`)
    if (all instanceof Promise) void all.then(write)
    else write(all)
  }
}
