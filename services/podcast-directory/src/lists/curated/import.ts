import { type Static, Type } from '@icosa/contract'
import { type Db, invalid, lazyValidator, type ReadingDb } from '@icosa/kernel'
import { listedBy } from '../../podcasts/store.ts'
import { lockIndex } from '../../search/index/store.ts'
import { listIdOf } from '../list-id.ts'
import { keepLists } from './jobs.ts'
import type { CuratedList } from './store.ts'

const text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

/** An operator's lists, as JSON. */
export const CuratedListFile = Type.Array(
  Type.Object({
    title: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]*$' }),
    description: Type.Optional(text(2_000)),
    source_url: Type.Optional(text(2_000)),
    /** When it was published; now if nothing is said. */
    pub_date_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })),
    /** Ids of podcasts or addresses of their feeds, in the list's order. */
    podcasts: Type.Array(text(2_000), { minItems: 1, maxItems: 200 }),
  }),
  { maxItems: 1_000 },
)

const check = lazyValidator(CuratedListFile, 'body')

/** Puts an operator's lists into a tenant's directory; a list of the same title is written over. Answers how many. */
export async function importCuratedLists(db: Db, tenant: string, file: unknown, now: Date): Promise<number> {
  const wrong = check(file)
  if (wrong.length > 0) invalid(wrong)
  const lists: CuratedList[] = []
  for (const one of file as Static<typeof CuratedListFile>) {
    const sourceUrl = one.source_url ?? ''
    lists.push({
      id: listIdOf(tenant, 'operator', one.title),
      origin: 'operator',
      title: one.title,
      description: one.description ?? '',
      sourceUrl,
      sourceDomain: URL.parse(sourceUrl)?.hostname ?? '',
      pubDateMs: one.pub_date_ms ?? now.getTime(),
      podcastIds: await podcastsNamed(db, tenant, one.podcasts),
    })
  }
  await lockIndex(db)
  await keepLists(db, tenant, lists)
  return lists.length
}

/** In the order of their names; what the directory does not have is left out. */
async function podcastsNamed(db: ReadingDb, tenant: string, names: readonly string[]): Promise<string[]> {
  const lookup = { ids: names, rsses: names, storeoneIds: [], storetwoIds: [] }
  const found = await listedBy(db, tenant, lookup, 2 * names.length)
  const idOf = new Map(found.flatMap(({ id, rss }) => [[id, id] as const, [rss, id] as const]))
  return [...new Set(names.flatMap((name) => idOf.get(name) ?? []))]
}
