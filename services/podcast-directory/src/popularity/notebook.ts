import { createHash } from 'node:crypto'
import { type Platform, writeBehind } from '@icosa/kernel'
import { regions } from '../podcasts/regions.ts'
import * as store from './store.ts'

export interface Visit {
  readonly tenant: string
  readonly kind: 'podcast' | 'episode'
  readonly id: string
  /** Two letters; anything else is nowhere. */
  readonly region: string
  /** An app's own word for who looks; empty if it says nothing. */
  readonly listener: string
}

/** Notes of one node, which cost a request no write: they are added to the database now and then. */
export interface Notebook {
  search(tenant: string, text: string): void
  visit(visit: Visit): void
  flush(): Promise<void>
}

const flushEveryMs = 2_000
/** Beyond so many, notes are dropped: a flood is nobody's taste. */
const maxNotes = 10_000
const maxTermLength = 60
const hourMs = 3_600_000

export function openNotebook({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): Notebook {
  let searches = new Map<string, store.SearchNote>()
  let visits: store.VisitNote[] = []
  const listeners = recentOf()

  async function write(): Promise<void> {
    const [someSearches, someVisits] = [[...searches.values()], visits]
    searches = new Map()
    visits = []
    if (someSearches.length > 0) await store.addSearches(database, someSearches)
    if (someVisits.length === 0) return
    const resolved = await store.addVisits(database, someVisits, clock.now())
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
        listener: hashed(tenant, listener),
      })
      soon()
    },
  }
}

/** A search as it is counted: in small letters, with single spaces, without quotation marks. */
export const termOf = (text: string): string => {
  const term = text.toLowerCase().replaceAll('"', ' ').replace(/\s+/g, ' ').trim()
  return term.length > maxTermLength ? '' : term
}

/** Nobody needs to know who it was, only that it was the same. */
const hashed = (tenant: string, listener: string) =>
  listener === '' ? '' : createHash('sha256').update(`${tenant} ${listener}`).digest('base64url').slice(0, 16)

const soonMs = 30 * 60_000
const maxListeners = 10_000
const maxPodcasts = 5

/** What listeners have looked at in the last half hour, as this node has seen it. */
function recentOf() {
  const recent = new Map<string, { podcastIds: string[]; at: number }>()
  return {
    /** Which podcasts were looked at by the same listener. */
    pairsOf(visits: readonly store.ResolvedVisit[], now: Date): store.Pair[] {
      const pairs: store.Pair[] = []
      for (const { tenant, podcastId, listener } of visits) {
        if (listener === '') continue
        const known = recent.get(listener)
        const before = known && now.getTime() - known.at < soonMs ? known.podcastIds : []
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
