import type { ReadingDb } from '@icosa/kernel'
import { everything as allGenres, genres } from '../../podcasts/genres.ts'
import { regions } from '../../podcasts/regions.ts'
import { facet } from '../../search/index/shelf.ts'
import { everything, type Ranges } from '../../search/question/request.ts'
import { find } from '../../search/read/find.ts'
import { listIdOf } from '../list-id.ts'
import type { CuratedList } from './store.ts'

/** Criteria of a computed list. */
interface Theme {
  readonly origin: string
  readonly title: string
  readonly description: string
  readonly facets: readonly (readonly string[])[]
  readonly ranges: Ranges
}

const ofGenres: readonly Theme[] = genres
  .filter(({ parentId }) => parentId === allGenres.id)
  .map(({ id, name }) => ({
    origin: `genre:${id}`,
    title: `Popular podcasts: ${name}`,
    description: `The podcasts of the genre ${name} with the highest listen scores.`,
    facets: [[facet.genre(id)]],
    ranges: {},
  }))

const ofRegions: readonly Theme[] = Object.entries(regions).map(([code, name]) => ({
  origin: `region:${code}`,
  title: `Made in ${name}`,
  description: `The podcasts from ${name} with the highest listen scores.`,
  facets: [[facet.region(code)]],
  ranges: {},
}))

const hour = 3_600

const others: readonly Theme[] = [
  {
    origin: 'theme:conversations',
    title: 'In conversation',
    description: 'Popular podcasts with guests.',
    facets: [[facet.interviews]],
    ranges: {},
  },
  {
    origin: 'theme:short',
    title: 'Short and to the point',
    description: 'Popular podcasts with episodes of at most 15 minutes.',
    facets: [],
    ranges: { lengthSec: { min: 60, max: hour / 4 }, episodeCount: { min: 5 } },
  },
  {
    origin: 'theme:long',
    title: 'For a long drive',
    description: 'Popular podcasts with episodes of at least 90 minutes.',
    facets: [],
    ranges: { lengthSec: { min: 1.5 * hour }, episodeCount: { min: 5 } },
  },
  {
    origin: 'theme:daily',
    title: 'Every day',
    description: 'Popular podcasts with a new episode nearly every day.',
    facets: [],
    ranges: { updateHours: { min: 1, max: 30 }, episodeCount: { min: 10 } },
  },
]

const themes = [...ofGenres, ...ofRegions, ...others]
const minPodcasts = 3
const maxPodcasts = 25

/** Computes a tenant's lists, skipping themes with too few podcasts. */
export async function computeLists(db: ReadingDb, tenant: string, now: Date): Promise<CuratedList[]> {
  const lists: CuratedList[] = []
  for (const { origin, title, description, facets, ranges } of themes) {
    // A theme without facets searches the genre of all podcasts.
    const request = everything('podcast', facets.length > 0 ? facets : [[facet.genre(allGenres.id)]], [], maxPodcasts)
    const { hits } = await find(db, tenant, { ...request, ranges }, now)
    if (hits.length < minPodcasts) continue
    const fields = { origin, title, description, sourceUrl: '', sourceDomain: '', pubDateMs: now.getTime() }
    lists.push({ ...fields, id: listIdOf(tenant, origin), podcastIds: hits.map(({ id }) => id) })
  }
  return lists
}
