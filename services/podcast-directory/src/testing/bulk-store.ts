import { type Database, sql } from '@icosa/kernel'
import type { SyntheticOptions } from '../catalog/synthetic.ts'
import { scoresOf } from '../popularity/score.ts'
import { figures, setScores } from '../popularity/score-store.ts'
import type { Source } from '../search/index/document.ts'
import { indexSources } from '../search/index/indexing.ts'
import { episodesOf, podcasts } from '../search/index/source-store.ts'
import { completePodcasts } from '../typeahead/completions.ts'
import { insertSynthetic } from './synthetic-store.ts'

export interface Filled {
  readonly rowsSeconds: number
  readonly documentsSeconds: number
  readonly indexSeconds: number
}

const documentsPerBatch = 5_000
const podcastsPerBatch = 200

/** Fills an empty directory with a synthetic catalog, creating the index at the end, as a restore would. */
export async function fillInBulk(
  database: Database,
  tenant: string,
  options: SyntheticOptions,
  now: Date,
): Promise<Filled> {
  const rowsSeconds = await secondsOf(() => insertSynthetic(database, tenant, options, now))
  await database.script('truncate podcast_directory.changes')
  for (const table of ['podcasts', 'episodes']) await database.script(`vacuum analyze podcast_directory.${table}`)
  await setScores(database, tenant, scoresOf(await figures(database, tenant, now), now))
  const { definition } = await database.one<{ definition: string }>(sql`
    select pg_get_indexdef('podcast_directory.documents_by_term'::regclass) as definition`)
  await database.script('drop index podcast_directory.documents_by_term')
  const documentsSeconds = await secondsOf(() => writeDocuments(database, tenant))
  const indexSeconds = await secondsOf(() => database.script(`set local maintenance_work_mem = '512MB'; ${definition}`))
  for (const table of ['documents', 'vocabulary', 'completions'])
    await database.script(`vacuum analyze podcast_directory.${table}`)
  return { rowsSeconds, documentsSeconds, indexSeconds }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

async function writeDocuments(database: Database, tenant: string): Promise<void> {
  const all = await database.many<{ id: string }>(sql`
    select id from podcast_directory.podcasts where tenant = ${tenant} order by id`)
  let waiting: Source[] = []
  const flush = async () => {
    const batch = waiting
    waiting = []
    await database.transaction((db) => indexSources(db, tenant, batch))
  }
  for (let from = 0; from < all.length; from += podcastsPerBatch) {
    const ids = all.slice(from, from + podcastsPerBatch).map(({ id }) => id)
    await database.transaction(async (db) => {
      await indexSources(db, tenant, await podcasts(db, tenant, ids))
      await completePodcasts(db, tenant, ids)
    })
    for (const id of ids) {
      waiting.push(...(await episodesOf(database, { tenant, id }, '', 1_000_000)))
      if (waiting.length >= documentsPerBatch) await flush()
    }
  }
  await flush()
}
