import { expiringCache, type Platform } from '@icosa/kernel'
import { type Answering, bySlot, byVersion } from './published-store.ts'

/** Target of a query: a slot of an app, or a version. */
export type Place = { readonly slot: string } | { readonly version: string }

export interface Published {
  at(app: string, place: Place): Promise<Answering | undefined> | Answering | undefined
  /** Bypasses the cache. */
  fresh(app: string, place: Place): Promise<Answering | undefined>
}

const limit = 10_000

/** Caches published models for a second, so that a query needs no statement. */
export function openPublished({ database }: Pick<Platform, 'database'>): Published {
  const db = database.reading
  const read = (app: string, place: Place) =>
    'slot' in place ? bySlot(db, app, place.slot) : byVersion(db, app, place.version)
  const placeOf = (key: string): [string, Place] => {
    const [app = '', kind, ...rest] = key.split('/')
    return [app, kind === 'slot' ? { slot: rest.join('/') } : { version: rest.join('/') }]
  }
  const cache = expiringCache<Answering | undefined>({
    name: 'language-authoring applications',
    forMs: 1_000,
    limit,
    find: (key) => read(...placeOf(key)),
    keep: (answering) => answering !== undefined,
  })
  return {
    at: (app, place) => cache.get('slot' in place ? `${app}/slot/${place.slot}` : `${app}/version/${place.version}`),
    fresh: read,
  }
}
