import { type Random, randomOf } from '../catalog/random.ts'
import {
  type SyntheticEpisode,
  type SyntheticOptions,
  type SyntheticPodcast,
  syntheticEpisodes,
  syntheticPodcasts,
} from '../catalog/synthetic.ts'
import { formsOf, isStopWord } from '../search/words.ts'

type Field = 'title' | 'author' | 'description' | 'audio'

export interface Row {
  readonly episode: SyntheticEpisode
  readonly podcast: SyntheticPodcast
  readonly words: Readonly<Record<Field, readonly string[]>>
}

export interface Query {
  readonly q: string
  readonly [name: string]: string | number
}

/** Searches a catalog row by row. */
export interface BruteForce {
  readonly rows: readonly Row[]
  matching(query: Query): Row[]
}

const plainWords = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

export function bruteForce(options: SyntheticOptions): BruteForce {
  const podcasts = new Map([...syntheticPodcasts(options)].map((podcast) => [podcast.id, podcast]))
  const rows = [...syntheticEpisodes(options)].map((episode): Row => {
    const podcast = podcasts.get(episode.podcastId) as SyntheticPodcast
    const author = plainWords(`${podcast.title} ${podcast.publisher}`)
    const words = { title: plainWords(episode.title), author, description: plainWords(episode.description), audio: [] }
    return { episode, podcast, words }
  })
  const rowsWith = new Map<string, Row[]>()
  for (const row of rows) {
    for (const word of new Set(Object.values(row.words).flat())) {
      const wordRows = rowsWith.get(word)
      if (wordRows) wordRows.push(row)
      else rowsWith.set(word, [row])
    }
  }
  return {
    rows,
    matching(query) {
      const terms = termsOf(query.q)
      // All matches have the first required word.
      const forms = terms.required[0]?.[0] ?? []
      const candidates = new Set(forms.flatMap((form) => rowsWith.get(form) ?? []))
      return [...candidates].filter((row) => matches(query, row, terms))
    },
  }
}

/** The forms of each word of a phrase. */
type Phrase = readonly (readonly string[])[]

interface Terms {
  readonly required: readonly Phrase[]
  readonly excluded: readonly Phrase[]
}

function termsOf(q: string): Terms {
  const parts = q.match(/-?"[^"]*"|\S+/g) ?? []
  const parse = (part: string): Phrase =>
    part.startsWith('"') ? plainWords(part).map((word) => [word]) : [formsOf(plainWords(part)[0] ?? '')]
  const required = parts.filter((part) => !part.startsWith('-'))
  const significant = required.filter((part) => part.startsWith('"') || !isStopWord(part))
  return {
    required: (significant.length > 0 ? significant : required).map(parse),
    excluded: parts.filter((part) => part.startsWith('-')).map((part) => parse(part.slice(1))),
  }
}

const has = (words: readonly string[], phrase: Phrase) =>
  words.some((_, at) => phrase.every((forms, nth) => forms.includes(words[at + nth] ?? '')))

function matches(query: Query, { episode, podcast, words }: Row, { required, excluded }: Terms): boolean {
  const fields = String(query.only_in ?? 'title,description,author,audio').split(',') as Field[]
  const anywhere = (phrase: Phrase) => fields.some((field) => has(words[field], phrase))
  const number = (name: string, fallback: number) => Number(query[name] ?? fallback)
  const minutes = episode.audioLengthSec / 60
  const genres = query.genre_ids === undefined ? podcast.genreIds : String(query.genre_ids).split(',').map(Number)
  return (
    required.every(anywhere) &&
    !excluded.some(anywhere) &&
    (query.language ?? podcast.language) === podcast.language &&
    (query.region ?? podcast.region) === podcast.region &&
    genres.some((id) => podcast.genreIds.includes(id)) &&
    minutes >= number('len_min', 0) &&
    minutes <= number('len_max', Number.POSITIVE_INFINITY) &&
    episode.pubDateMs > number('published_after', -1) &&
    episode.pubDateMs < number('published_before', Number.POSITIVE_INFINITY) &&
    (query.ocid ?? podcast.id) === podcast.id &&
    query.ncid !== podcast.id &&
    !(query.safe_mode === 1 && (episode.explicitContent || podcast.explicitContent)) &&
    !(query.interviews_only === 1 && !podcast.hasGuestInterviews) &&
    !(query.sponsored_only === 1 && !podcast.hasSponsors)
  )
}

const dayMs = 86_400_000

/** Words of titles and descriptions with filters that match some results, determined by `nth`. */
export function queryOf(rows: readonly Row[], nth: number): Query {
  const random = randomOf(29, nth)
  const { episode, podcast, words } = random.pick(rows)
  const maybe = (chance: number, query: Record<string, string | number>) => (random.chance(chance) ? query : {})
  const minutes = Math.floor(episode.audioLengthSec / 60)
  return {
    q: textOf(random, random.chance(0.6) ? words.title : words.description, words.description),
    ...maybe(0.2, { language: podcast.language }),
    ...maybe(0.15, { region: podcast.region }),
    ...maybe(0.2, { genre_ids: podcast.genreIds.slice(0, 2).join(',') }),
    ...maybe(0.15, { len_min: Math.max(0, minutes - random.below(20)) }),
    ...maybe(0.15, { len_max: minutes + random.below(20) }),
    ...maybe(0.15, { published_after: episode.pubDateMs - random.below(400) * dayMs }),
    ...maybe(0.15, { published_before: episode.pubDateMs + (1 + random.below(400)) * dayMs }),
    ...maybe(0.1, { only_in: random.pick(['title', 'description', 'author', 'title,author', 'description,audio']) }),
    ...maybe(0.05, { ocid: podcast.id }),
    ...maybe(0.1, { ncid: random.pick(rows).podcast.id }),
    ...maybe(0.2, { safe_mode: 1 }),
    ...maybe(0.1, { interviews_only: 1 }),
    ...maybe(0.1, { sponsored_only: 1 }),
    ...maybe(0.2, { unique_podcasts: 1 }),
    ...maybe(0.4, { sort_by_date: 1 }),
  }
}

/** One to three words or a phrase, sometimes with an excluded word. */
function textOf(random: Random, words: readonly string[], others: readonly string[]): string {
  const at = random.below(Math.max(1, words.length - 1))
  const phrase = words.slice(at, at + 2)
  const required =
    random.chance(0.15) && phrase.length === 2
      ? [`"${phrase.join(' ')}"`]
      : Array.from({ length: 1 + random.below(3) }, () => random.pick(words))
  return [...required, ...(random.chance(0.15) ? [`-${random.pick(others)}`] : [])].join(' ')
}
