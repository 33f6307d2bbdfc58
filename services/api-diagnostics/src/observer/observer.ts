import { expiringCache, type Platform, type RequestObserver } from '@icosa/kernel'
import { activeDiagnostics } from '../diagnostics/store.ts'
import { type ActiveDiagnostic, linesFor } from '../sampling/line.ts'

/** Maximum age of cached settings. */
export const cacheMs = 1_000
/** Active diagnostics per service, the first by name: each may write a line for every request. */
export const maxActive = 10
const maxCached = 100_000

/** Writes log lines according to the diagnostics of the caller's tenant. */
export function diagnosticObserver({ database, log }: Pick<Platform, 'database' | 'log'>): RequestObserver {
  // Diagnostics are written whatever the log level, which is higher in development mode.
  const output = log.child({}, { level: 'info' })
  const onError = (error: unknown) => log.warn({ err: error }, 'diagnostics')
  const settings = expiringCache<readonly ActiveDiagnostic[]>({
    name: 'api-diagnostics settings',
    forMs: cacheMs,
    limit: maxCached,
    find(key) {
      const [tenant = '', service = ''] = key.split('/')
      return activeDiagnostics(database, tenant, service, maxActive).catch((error) => {
        onError(error)
        return [] // so that an unavailable database is queried once a second, not by every request
      })
    },
  })

  return (tenant, service, exchange) => {
    const write = (active: readonly ActiveDiagnostic[]) => {
      if (active.length === 0) return
      try {
        for (const line of linesFor(active, exchange(), { tenant, service })) output.info(line, 'diagnostic')
      } catch (error) {
        onError(error)
      }
    }
    // Names of tenants and services contain no '/'.
    const active = settings.get(`${tenant}/${service}`)
    if (active instanceof Promise) void active.then(write)
    else write(active)
  }
}
