import { createHash } from 'node:crypto'
import { type Platform, writeBehind } from '@icosa/kernel'
import { regions } from '../podcasts/regions.ts'
import * as store from './store.ts'

export interface Visit {
  readonly tenant: string
  readonly kind: 'podcast' | 'episode'
  readonly id: string
  /** Two letters; other values are ignored. */
  readonly region: string
  /** An app's id of its listener, or empty. */
  readonly listener: string
}

/** Write-behind buffer of a node for searches and visits. */
export interface Notebook {
  search(tenant: string, text: string): void
  visit(visit: Visit): void
  flush(): Promise<void>
}

const flushEveryMs = 2_000
/** Further notes are dropped until the next flush. */
const maxNotes = 10_000
const maxTermLength = 60
const hourMs = 3_600_000

export function openNotebook({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): Notebook {
  let searches = new Map<string, store.SearchNote>()
  let visits: store.VisitNote[] = []
  const listeners = recentVisits()

  async function write(): Promise<void> {
    const [newSearches, newVisits] = [[...searches.values()], visits]
    searches = new Map()
    visits = []
    if (newSearches.length > 0) await store.addSearches(database, newSearches)
    if (newVisits.length === 0) return
    const resolved = await store.addVisits(database, newVisits, clock.now())
    await store.addTogether(database, listeners.pairsOf(resolved, clock.now()))
  }

  const { soon, flush } = writeBehind({
    everyMs: flushEveryMs,
    write,
    onError: (error) => log.error({ err: error }, 'notes of searches and visits were lost'),
  })

  return {
    flush,
    search(tenant, text) {
      const term = termOf(text)
      if (term === '' || searches.size >= maxNotes) return
      const since = new Date(Math.floor(clock.now().getTime() / hourMs) * hourMs)
      const key = JSON.stringify([tenant, since, term])
      searches.set(key, { tenant, since, term, searches: (searches.get(key)?.searches ?? 0) + 1 })
      soon()
    },
    visit({ tenant, kind, id, region, listener }) {
      if (visits.length >= maxNotes) return
      visits.push({
        tenant,
        kind,
        id,
        region: Object.hasOwn(regions, region) ? region : '',
        listener: pseudonymOf(tenant, listener),
      })
      soon()
    },
  }
}

/** Normalized search term: lower case, single spaces, no quotation marks. */
export const termOf = (text: string): string => {
  const term = text.toLowerCase().replaceAll('"', ' ').replace(/\s+/g, ' ').trim()
  return term.length > maxTermLength ? '' : term
}

/** Pseudonymizes a listener. */
const pseudonymOf = (tenant: string, listener: string) =>
  listener === '' ? '' : createHash('sha256').update(`${tenant} ${listener}`).digest('base64url').slice(0, 16)

const recentMs = 30 * 60_000
const maxListeners = 10_000
const maxPodcasts = 5

/** Podcasts that listeners visited in the last half hour, on this node. */
function recentVisits() {
  const recent = new Map<string, { podcastIds: string[]; at: number }>()
  return {
    /** Pairs of podcasts visited by the same listener. */
    pairsOf(visits: readonly store.ResolvedVisit[], now: Date): store.Pair[] {
      const pairs: store.Pair[] = []
      for (const { tenant, podcastId, listener } of visits) {
        if (listener === '') continue
        const last = recent.get(listener)
        const before = last && now.getTime() - last.at < recentMs ? last.podcastIds : []
        const others = before.filter((id) => id !== podcastId)
        if (!before.includes(podcastId)) pairs.push(...others.map((otherId) => ({ tenant, podcastId, otherId })))
        recent.delete(listener)
        recent.set(listener, { podcastIds: [podcastId, ...others].slice(0, maxPodcasts), at: now.getTime() })
        const [oldest] = recent.keys()
        if (recent.size > maxListeners && oldest !== undefined) recent.delete(oldest)
      }
      return pairs
    },
  }
}
