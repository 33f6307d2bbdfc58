import { implement, ok, type ReadingDb, type Resource } from '@icosa/kernel'
import type { Links } from '../links.ts'
import { toGenre } from '../lists/reference/handlers.ts'
import { genres } from '../podcasts/genres.ts'
import type { Podcast } from '../podcasts/podcast.ts'
import { listed, listedBy } from '../podcasts/store.ts'
import { toPodcastMinimum } from '../podcasts/view.ts'
import { termOf } from '../popularity/notebook.ts'
import { questionOf } from '../search/question/question.ts'
import { allFields, type SearchRequest } from '../search/question/request.ts'
import { find } from '../search/read/find.ts'
import { highlightedPrefix } from '../search/results/highlight.ts'
import { isStopWord, wordsOf } from '../search/words.ts'
import { typeahead as contract } from './contract.ts'
import { keysOf, prefixOf } from './prefix.ts'
import * as store from './store.ts'

const maxTerms = 10
const maxPodcasts = 5
/** Rows to read per suggested podcast, since each has several. */
const rowsPerPodcast = 4

export function typeahead({ links }: { readonly links: Links }): Resource {
  return implement(contract, {
    async typeahead({ query }, { db, caller: { tenant } }) {
      const { q, show_podcasts, show_genres, safe_mode } = query
      const prefix = prefixOf(q)
      const safe = safe_mode === 1
      const terms = await termsFor(db, tenant, prefix)
      return ok({
        terms,
        ...(show_genres === 1 && { genres: genresFor(prefix).map(toGenre) }),
        ...(show_podcasts === 1 && {
          podcasts: (await podcastsFor(db, tenant, q, prefix, safe)).map((podcast) =>
            toSuggestedPodcast(podcast, prefix, links),
          ),
        }),
      })
    },

    async getRelatedSearches({ query: { q } }, { db, clock, caller: { tenant } }) {
      const words = wordsOf(q).filter((word) => !isStopWord(word))
      const term = termOf(q)
      const terms = new Set<string>()
      for (const word of words.slice(0, 4)) {
        const options = { limit: maxTerms, safe: false }
        for (const { text } of await store.complete(db, tenant, 'search', word, options)) terms.add(text)
      }
      const { hits } = await find(db, tenant, episodesAbout(q), clock.now())
      const vectors = await store.telling(
        db,
        tenant,
        hits.map(({ id }) => id),
      )
      for (const word of topWords(vectors, new Set(words))) terms.add(word)
      terms.delete(term)
      return ok({ terms: [...terms].slice(0, maxTerms) })
    },
  })
}

/** Earlier searches first, then podcast titles and title words. */
async function termsFor(db: ReadingDb, tenant: string, prefix: string): Promise<string[]> {
  if (prefix === '') return []
  const options = { limit: maxTerms, safe: true }
  const completions = await Promise.all([
    store.complete(db, tenant, 'search', prefix, options),
    store.complete(db, tenant, 'podcast', prefix, options),
    store.complete(db, tenant, 'title', prefix, options),
  ])
  const [searches = [], podcasts = [], words = []] = completions.map((group) =>
    group.map(({ text }) => text.toLowerCase()),
  )
  // Titles and words share the remaining places.
  const half = Math.ceil((maxTerms - searches.length) / 2)
  const all = [...searches, ...words.slice(0, half), ...podcasts, ...words.slice(half)]
  return [...new Set(all)].slice(0, maxTerms)
}

const genresFor = (prefix: string) =>
  prefix === '' ? [] : genres.filter(({ name }) => keysOf(name).some((key) => key.startsWith(prefix.trimEnd())))

async function podcastsFor(
  db: ReadingDb,
  tenant: string,
  q: string,
  prefix: string,
  safe: boolean,
): Promise<Podcast[]> {
  const ids = /^\s*\d{5,18}\s*$/.test(q) ? { ids: [], rsses: [], storeoneIds: [q.trim()], storetwoIds: [] } : undefined
  const byId = ids ? await listedBy(db, tenant, ids, maxPodcasts) : []
  const options = { limit: maxPodcasts * rowsPerPodcast, safe }
  const rows = prefix === '' ? [] : await store.complete(db, tenant, 'podcast', prefix, options)
  const podcastIds = [...new Set(rows.map(({ podcastId }) => podcastId))].slice(0, maxPodcasts)
  const podcastsById = new Map((await listed(db, tenant, podcastIds)).map((podcast) => [podcast.id, podcast]))
  const all = [...byId, ...podcastIds.flatMap((id) => podcastsById.get(id) ?? [])]
  return all.filter(({ explicitContent }) => !(safe && explicitContent)).slice(0, maxPodcasts)
}

function toSuggestedPodcast(podcast: Podcast, prefix: string, links: Links) {
  const { id, title, publisher, image, thumbnail } = toPodcastMinimum(podcast, links)
  const words = prefix.trim().split(' ')
  return {
    id,
    title_original: title,
    title_highlighted: highlightedPrefix(title, words),
    publisher_original: publisher,
    publisher_highlighted: highlightedPrefix(publisher, words),
    image,
    thumbnail,
    explicit_content: podcast.explicitContent,
  }
}

const maxEpisodes = 30

const episodesAbout = (q: string): SearchRequest => ({
  kind: 'episode',
  question: questionOf(q),
  fields: allFields,
  facets: [],
  without: [],
  ranges: {},
  order: 'relevance',
  offset: 0,
  limit: maxEpisodes,
  onePerPodcast: true,
})

/** The most significant words of these documents, without the searched ones. */
function topWords(
  documents: readonly { readonly telling: Record<string, number> }[],
  searched: ReadonlySet<string>,
): string[] {
  const sums = new Map<string, number>()
  for (const { telling } of documents) {
    for (const [word, weight] of Object.entries(telling)) sums.set(word, (sums.get(word) ?? 0) + weight)
  }
  const others = [...sums].filter(([word]) => !searched.has(word))
  return others.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
}
