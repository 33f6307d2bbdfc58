/**
 * Searches a synthetic directory as apps do, at two sizes, and prints latencies and their growth.
 * BENCH_EPISODES=100000,1000000 sets the sizes; BENCH_DATABASES names databases that are already filled.
 */
import { openDatabase, prepareDatabase, sql, systemClock } from '@icosa/kernel'
import { podcastDirectory } from '@icosa/podcast-directory'
import { createTestDatabase, type TestApp } from '@icosa/testing'
import { type Random, randomOf } from '../../services/podcast-directory/src/catalog/random.ts'
import { episodeCounts, episodeOf, showOf } from '../../services/podcast-directory/src/catalog/synthetic.ts'
import { isStopWord, wordsOf } from '../../services/podcast-directory/src/search/words.ts'
import { learnWords } from '../../services/podcast-directory/src/spelling/jobs.ts'
import { testSettings } from '../../services/podcast-directory/src/testing/app.ts'
import { type Filled, fillInBulk } from '../../services/podcast-directory/src/testing/bulk-store.ts'
import { seekerOf, startDiscovery } from '../../services/podcast-directory/src/testing/discovery.ts'
import { learnTerms } from '../../services/podcast-directory/src/typeahead/jobs.ts'
import { type Figure, latencies, quantile, record } from '../figures.ts'

const tenant = 'bench'

interface FilledDatabase extends Filled {
  readonly megabytes: Readonly<Record<string, number>>
}

/** Fills a database with a synthetic directory, and returns its cost. */
async function fill(url: string, episodes: number): Promise<FilledDatabase> {
  const database = openDatabase({ url, maxConnections: 2, onError: console.error })
  await prepareDatabase(database, [podcastDirectory(testSettings)])
  const size = { seed: 7, podcasts: Math.ceil(episodes / 50), episodes }
  const filled = await fillInBulk(database, tenant, size, systemClock.now())
  const rows = await database.many<{ name: string; megabytes: number }>(sql`
    select relname as name, round(pg_relation_size(oid) / 1e6)::float8 as megabytes from pg_class
    where relnamespace = 'podcast_directory'::regnamespace
      and relname in ('episodes', 'documents', 'documents_by_term', 'documents_by_place', 'vocabulary')`)
  await database.close()
  return { ...filled, megabytes: Object.fromEntries(rows.map(({ name, megabytes }) => [name, megabytes])) }
}

const sizes = (process.env.BENCH_EPISODES ?? '20000,100000').split(',').map(Number)
const databases = process.env.BENCH_DATABASES?.split(',')
const times = Number(process.env.BENCH_TIMES ?? 200)

type Seeker = Awaited<ReturnType<typeof seekerOf>>
type Ask = (me: Seeker, words: readonly string[], random: Random) => Promise<Response>

const path = (operation: string, query: Record<string, string | number>) =>
  `/${operation}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`
const search = (count: number, query: Record<string, string | number> = {}): Ask => {
  return (me, words) => me.get(path('search', { q: words.slice(0, count).join(' '), ...query }))
}
const filters = { language: 'English', safe_mode: 1, len_min: 20, len_max: 60, published_after: Date.UTC(2022, 0) }
const [letters, mistakes] = [3, 1]

const asks: Readonly<Record<string, Ask>> = {
  'no search at all': (me) => me.get('/languages'),
  'one word': search(1),
  'two words': search(2),
  'three words': search(3),
  'one word, filtered': search(1, filters),
  'two words, filtered': search(2, filters),
  'three words, filtered': search(3, filters),
  'one word, by date': search(1, { sort_by_date: 1 }),
  'two words, by date': search(2, { sort_by_date: 1 }),
  'one word, by date, filtered': search(1, { sort_by_date: 1, ...filters }),
  'one word, one of each podcast': search(1, { unique_podcasts: 1 }),
  'one word, podcasts': search(1, { type: 'podcast' }),
  'a phrase': (me, words) => me.get(path('search', { q: `"${words.slice(0, 2).join(' ')}"` })),
  'one word, page 30': search(1, { offset: 290 }),
  'one word, page 1,000': search(1, { offset: 9_990 }),
  typeahead: (me, [word = ''], random) =>
    me.get(path('typeahead', { q: word.slice(0, 1 + random.below(letters + 2)), show_podcasts: 1, show_genres: 1 })),
  spellcheck: (me, words, random) => {
    const word = words[0] ?? ''
    const at = 1 + random.below(Math.max(1, word.length - mistakes))
    return me.get(path('spellcheck', { q: [word.slice(0, at) + word.slice(at + 1), ...words.slice(1, 3)].join(' ') }))
  },
}

/** The words of a random title without stop words. */
function titleOf(random: Random, counts: readonly number[]): string[] {
  for (;;) {
    const number = random.below(counts.length)
    const count = counts[number] ?? 0
    const { title } = episodeOf(showOf(7, number, count), random.below(count))
    const words = wordsOf(title).filter((word) => !isStopWord(word) && !/^\d+$/.test(word))
    if (words.length >= 3) return words
  }
}

const named = (ask: string, episodes: number) => `${ask}, ${episodes.toLocaleString('en')} episodes`

async function measure(app: TestApp, episodes: number): Promise<Figure[]> {
  const me = await seekerOf(app, tenant)
  const counts = episodeCounts({ podcasts: Math.ceil(episodes / 50), episodes })
  const figures: Figure[] = []
  for (const [name, ask] of Object.entries(asks)) {
    const random = randomOf(41)
    const took: number[] = []
    for (let nth = 0; nth < times + 20; nth++) {
      const words = titleOf(random, counts)
      const began = performance.now()
      const response = await ask(me, words, random)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}`)
      if (nth >= 20) took.push(performance.now() - began)
    }
    const [p50, p95, p99] = [quantile(took, 0.5), quantile(took, 0.95), quantile(took, 0.99)]
    figures.push(...latencies(named(name, episodes), { p50, p95, p99 }))
  }
  return figures
}

async function filled(nth: number, episodes: number) {
  const existing = databases?.[nth]
  if (existing !== undefined) return { url: existing, [Symbol.asyncDispose]: async () => {} }
  const database = await createTestDatabase([podcastDirectory(testSettings)])
  const took = await fill(database.url, episodes)
  console.log(`${episodes} episodes:`, took)
  return database
}

/** Builds the vocabulary before the measurement, as workers do in the background. */
async function learn(app: TestApp): Promise<void> {
  const { database, clock } = app.platform
  const context = { db: database, transaction: database.transaction, clock, signal: new AbortController().signal }
  await learnWords.run({}, context as never)
  await learnTerms.run({}, context as never)
}

const figures: Figure[] = []
for (const [nth, episodes] of sizes.entries()) {
  await using database = await filled(nth, episodes)
  await using app = await startDiscovery({ databaseUrl: database.url, checkReplies: false })
  await learn(app)
  const warm = openDatabase({ url: database.url, maxConnections: 1, onError: console.error })
  for (const table of ['vocabulary', 'completions']) await warm.script(`vacuum analyze podcast_directory.${table}`)
  await warm.close()
  figures.push(...(await measure(app, episodes)))
}
const [smallest = 0, largest = 0] = [sizes[0], sizes.at(-1)]
const p50Of = (name: string, episodes: number) =>
  figures.find((figure) => figure.name === named(name, episodes) && figure.statistic === 'p50')?.value ?? Number.NaN
const growth = Object.keys(asks).map((name) => ({
  name: `${name}, p50 among ${largest.toLocaleString('en')} episodes`,
  value: p50Of(name, largest) / p50Of(name, smallest),
  unit: '×',
  comparedWith: `that among ${smallest.toLocaleString('en')}`,
}))
record([...growth, ...figures])
