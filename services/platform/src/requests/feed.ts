import { Failure, type OnStop, type Platform, type RequestObserver } from '@icosa/kernel'
import { maxRecent, type WatchedRequest } from './contract.ts'
import { watchedRequest } from './watched.ts'
import { type Matches, openWatcher, type Watcher } from './watcher.ts'

export interface Feed {
  readonly observe: RequestObserver
  /** Whether recent requests are recorded. */
  readonly isRecording: boolean
  /** Newest first. */
  recent(tenant: string, matches: Matches, limit: number): WatchedRequest[]
  watch(tenant: string, matches: Matches): Watcher['stream']
  /** Ends all streams: they would keep the node from stopping. */
  close(): void
}

const maxWatchersOfTenant = 10
const maxWatchers = 100

/**
 * The requests of a node, each for its tenant alone. In development mode, the last ones are recorded in memory; in
 * production, a request costs a lookup in an empty map unless its tenant is watching.
 */
export function openFeed({ clock, log }: Pick<Platform, 'clock' | 'log'>, isRecording: boolean, onStop: OnStop): Feed {
  const watchers = new Map<string, Set<Watcher>>()
  const recorded: { readonly tenant: string; readonly request: WatchedRequest }[] = []

  function add(tenant: string, request: WatchedRequest): void {
    if (isRecording) {
      recorded.push({ tenant, request })
      if (recorded.length > maxRecent) recorded.shift()
    }
    const own = watchers.get(tenant)
    if (!own) return
    const event = `id: ${request.id}\nevent: request\ndata: ${JSON.stringify(request)}\n\n`
    for (const watcher of own) watcher.offer(request, event)
  }

  function close(): void {
    for (const watcher of [...watchers.values()].flatMap((own) => [...own])) watcher.end()
  }
  onStop(close)

  return {
    isRecording,
    observe(tenant, service, exchange) {
      if (!isRecording && !watchers.has(tenant)) return
      // After the response is written, so that masking does not delay it.
      setImmediate(() => {
        try {
          add(tenant, watchedRequest(exchange(), service, clock))
        } catch (err) {
          log.warn({ err }, 'a request could not be shown')
        }
      })
    },
    recent: (tenant, matches, limit) =>
      recorded
        .filter((entry) => entry.tenant === tenant && matches(entry.request))
        .slice(-limit)
        .map(({ request }) => request)
        .reverse(),
    watch(tenant, matches) {
      const own = watchers.get(tenant) ?? new Set()
      const count = [...watchers.values()].reduce((sum, { size }) => sum + size, 0)
      if (own.size >= maxWatchersOfTenant || count >= maxWatchers)
        throw new Failure('rateLimited', 'Too many streams of requests are open: close one first.', {
          retryAfterSeconds: 10,
        })
      const watcher = openWatcher(matches, () => {
        own.delete(watcher)
        if (own.size === 0) watchers.delete(tenant)
      })
      watchers.set(tenant, own.add(watcher))
      return watcher.stream
    },
    close,
  }
}
