import { type Static, Type } from '@icosa/contract'
import { type Db, invalid, lazyValidator, type ReadingDb } from '@icosa/kernel'
import { listedBy } from '../../podcasts/store.ts'
import { lockIndex } from '../../search/index/store.ts'
import { listIdOf } from '../list-id.ts'
import { writeLists } from './jobs.ts'
import type { CuratedList } from './store.ts'

const text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

/** An operator's lists, as JSON. */
export const CuratedListFile = Type.Array(
  Type.Object({
    title: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' }),
    description: Type.Optional(text(2_000)),
    source_url: Type.Optional(text(2_000)),
    /** Publication time; now by default. */
    pub_date_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })),
    /** Ids or feed URLs of podcasts, in order. */
    podcasts: Type.Array(text(2_000), { minItems: 1, maxItems: 200 }),
  }),
  { maxItems: 1_000 },
)

const check = lazyValidator(CuratedListFile, 'body')

/** Imports lists, overwriting those with the same title. Returns their number. */
export async function importCuratedLists(db: Db, tenant: string, file: unknown, now: Date): Promise<number> {
  const wrong = check(file)
  if (wrong.length > 0) invalid(wrong)
  const lists: CuratedList[] = []
  for (const list of file as Static<typeof CuratedListFile>) {
    const sourceUrl = list.source_url ?? ''
    lists.push({
      id: listIdOf(tenant, 'operator', list.title),
      origin: 'operator',
      title: list.title,
      description: list.description ?? '',
      sourceUrl,
      sourceDomain: URL.parse(sourceUrl)?.hostname ?? '',
      pubDateMs: list.pub_date_ms ?? now.getTime(),
      podcastIds: await podcastIdsOf(db, tenant, list.podcasts),
    })
  }
  await lockIndex(db)
  await writeLists(db, tenant, lists)
  return lists.length
}

/** Podcasts by id or feed URL, in this order, without unknown ones. */
async function podcastIdsOf(db: ReadingDb, tenant: string, names: readonly string[]): Promise<string[]> {
  const lookup = { ids: names, rsses: names, storeoneIds: [], storetwoIds: [] }
  const podcasts = await listedBy(db, tenant, lookup, 2 * names.length)
  const idOf = new Map(podcasts.flatMap(({ id, rss }) => [[id, id] as const, [rss, id] as const]))
  return [...new Set(names.flatMap((name) => idOf.get(name) ?? []))]
}
