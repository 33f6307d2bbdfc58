/**
 * Searches contributions as newsrooms do, over HTTP, and prints latencies compared with the bare statement `select 1` in the
 * same run. BENCH_CONTRIBUTIONS=1000000 is their number, BENCH_TIMES the number of searches of each kind;
 * BENCH_DATABASE names a database that already contains as many.
 */

import { contributionCollection } from '@icosa/contribution-collection'
import { openDatabase } from '@icosa/kernel'
import { createTestDatabase, seededRandom } from '@icosa/testing'
import pg from 'pg'
import { addChanges } from '../../services/contribution-collection/src/tallies/store.ts'
import { startContributions } from '../../services/contribution-collection/src/testing/app.ts'
import { insertAll } from '../../services/contribution-collection/src/testing/bulk-store.ts'
import { queries } from '../../services/contribution-collection/src/testing/questions.ts'
import {
  contributions,
  countries,
  type Synthetic,
} from '../../services/contribution-collection/src/testing/synthetic.ts'
import { type Figure, latencies, quantile, record } from '../figures.ts'

const size = Number(process.env.BENCH_CONTRIBUTIONS ?? 100_000)
const times = Number(process.env.BENCH_TIMES ?? 100)
const refinementGoalMs = 100
const tenant = 'news'
const assignments = Array.from({ length: 200 }, (_, nth) => ({ id: String(nth + 1), owner: `desk${nth % 5}` }))
const sample: Synthetic[] = []

/** All contributions; keeps a sample for the searches. */
function* sampled() {
  for (const contribution of contributions({ contributions: size, assignments, authors: 50_000, days: 600 })) {
    if (Number(contribution.id) % Math.ceil(size / 5_000) === 0) sample.push(contribution)
    yield contribution
  }
}

async function fill(url: string): Promise<void> {
  const database = openDatabase({ url, maxConnections: 2, onError: console.error })
  for (const { owner, id } of assignments)
    await database.script(`
      insert into contribution_collection.assignments (tenant, owner, name, url_words, created_at)
      values ('${tenant}', '${owner}', 'Assignment ${id}', 'assignment-${id}', now())`)
  const indexes = (await database.script(`
    select indexname as name, indexdef as text from pg_indexes
    where schemaname = 'contribution_collection' and tablename = 'contributions' and indexname not like '%_pkey'`)) as {
    name: string
    text: string
  }[]
  for (const { name } of indexes) await database.script(`drop index contribution_collection.${name}`)
  const began = performance.now()
  await insertAll(database, tenant, sampled())
  for (const { text } of indexes) await database.script(text)
  while ((await database.transaction((db) => addChanges(db, tenant, 20_000))) > 0);
  for (const table of ['contributions', 'tallies', 'tally_changes', 'value_changes'])
    await database.script(`vacuum analyze contribution_collection.${table}`)
  console.log(`${size} contributions in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  await database.close()
}

type Query = Record<string, string>
const kinds: Record<string, (random: () => number, one: Synthetic) => Query> = {
  'no filter': () => ({}),
  'one word': (_, { words }) => ({ q: words[0] as string }),
  'two words': (_, { words }) => ({ q: words.slice(0, 2).join(' ') }),
  country: (random) => ({ country: countries[Math.floor(random() * countries.length)] as string }),
  assignment: (_, { assignment }) => ({ assignment }),
  user: (_, { author }) => ({ user: author }),
  'video in a month': (_, { createdAt }) => ({ mediaType: 'video', createdMonth: createdAt.toISOString().slice(0, 7) }),
  geohash: (_, { cell }) => ({ geohash: (cell ?? 'gcpvj').slice(0, 5) }),
  'within 1 km': (_, one) => ({ ...around(one), radius: '1' }),
  'within 25 km': (_, one) => ({ ...around(one), radius: '25' }),
  'within 500 km': (_, one) => ({ ...around(one), radius: '500' }),
  'within 25 km, a word': (_, one) => ({ ...around(one), radius: '25', q: one.words[0] as string }),
  'within 25 km, country, image': (_, one) => ({ ...around(one), radius: '25', country: 'GB', mediaType: 'image' }),
}
const around = ({ point }: Synthetic) =>
  point ? { latLong: `${point.latitude.toFixed(4)},${point.longitude.toFixed(4)}` } : { latLong: '51.5,-0.12' }

const figures: Figure[] = []
function keep(name: string, took: number[], goal?: Figure['goal']): void {
  const ms = { p50: quantile(took, 0.5), p95: quantile(took, 0.95), max: quantile(took, 1) }
  const all = latencies(name, ms)
  figures.push(...all.map((figure) => (goal && figure.statistic === 'p95' ? { ...figure, goal } : figure)))
}

const filled = process.env.BENCH_DATABASE
await using database = filled
  ? { url: filled, [Symbol.asyncDispose]: async () => {} }
  : await createTestDatabase([contributionCollection()])
if (filled) for (const _ of sampled());
else await fill(database.url)
if (process.env.BENCH_KEEP) {
  console.log(database.url)
  process.exit()
}
await using world = await startContributions({}, { databaseUrl: database.url, checkReplies: false })
const key = await world.app.key(tenant)
const get = async (path: string) => {
  const response = await fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status} ${body}`)
  return { link: response.headers.get('link'), body }
}
const text = (query: Query) => new URLSearchParams(query).toString()

async function measure(ask: (nth: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let nth = 0; nth < times; nth++) {
    const began = performance.now()
    await ask(nth)
    if (nth >= 5) took.push(performance.now() - began)
  }
  return took
}

const bare = new pg.Client({ connectionString: database.url })
await bare.connect()
keep('bare `select 1`', await measure(() => bare.query('select 1')))
await bare.end()
const everything: number[] = []
for (const [name, make] of Object.entries(kinds)) {
  const random = seededRandom(3)
  const asked = Array.from({ length: times }, () =>
    make(random, sample[Math.floor(random() * sample.length)] as Synthetic),
  )
  const took = await measure((nth) => get(`/contributions?${text(asked[nth] as Query)}`))
  keep(`list, ${name}`, took)
  everything.push(...took)
}
const mixed = [...queries(sample, times)].map(text)
const anyFilters = await measure((nth) => get(`/contributions?${mixed[nth]}`))
keep('list, any filters together', anyFilters)
everything.push(...anyFilters)

const pages = async (
  from: number,
  to: number,
  start?: string,
): Promise<{ took: number[]; after: string | undefined }> => {
  const took: number[] = []
  let after = start
  for (let page = from; page <= to; page++) {
    const began = performance.now()
    const { link } = await get(`/contributions?${text({ pageSize: '20', ...(after && { after }) })}`)
    took.push(performance.now() - began)
    after = new URL(/<([^>]+)>/.exec(link ?? '')?.[1] as string).searchParams.get('after') ?? undefined
  }
  return { took, after }
}
const first = await pages(1, 50)
const middle = await pages(51, 950, first.after)
const late = await pages(951, 1_000, middle.after)
keep('pages 1 to 50', first.took)
keep('pages 951 to 1,000', late.took)
keep('all lists', everything)
const refined: Record<string, (one: Synthetic) => Query> = {
  'without a filter': () => ({}),
  'of an assignment': ({ assignment }) => ({ assignment }),
  'of an owner': ({ owner }) => ({ ownedBy: owner }),
  'of a country': (one) => ({ country: one.country ?? 'GB' }),
  'of pictures': () => ({ mediaType: 'image' }),
  'with a place': () => ({ hasLocation: 'true' }),
  'of a user': ({ author }) => ({ user: author }),
  'of one word': ({ words }) => ({ q: words.at(-1) as string }),
  'within 1 km': (one) => ({ ...around(one), radius: '1' }),
  'within 25 km': (one) => ({ ...around(one), radius: '25' }),
}
for (const [name, make] of Object.entries(refined))
  keep(
    `refinements ${name}`,
    await measure((nth) =>
      get(`/contribution-refinements?${text(make(sample[(nth * 37) % sample.length] as Synthetic))}`),
    ),
    { atMost: refinementGoalMs },
  )
record(figures)
