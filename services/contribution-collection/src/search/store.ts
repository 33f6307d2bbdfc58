import { type ReadingDb, sql, varying } from '@icosa/kernel'
import { type ContributionRow, columns } from '../contributions/store.ts'
import { conditionOf, type SearchContext } from './conditions-store.ts'
import type { Question } from './question.ts'

/** The last row of the previous page. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** Newest first. */
export function list(
  db: ReadingDb,
  question: Question,
  searchContext: SearchContext,
  {
    after,
    limit,
    offset = 0,
  }: { readonly after?: Position | undefined; readonly limit: number; readonly offset?: number },
): Promise<ContributionRow[]> {
  const from = after ? sql` and (c.created_at, c.id) < (${after.createdAt}, ${after.id}::bigint)` : sql``
  return db.many(
    varying(sql`
      select ${columns} from contribution_collection.contributions as c where ${conditionOf(question, searchContext)}${from}
      order by c.created_at desc, c.id desc limit ${limit} offset ${offset}`),
  )
}

export async function count(db: ReadingDb, question: Question, searchContext: SearchContext): Promise<number> {
  const { total } = await db.one<{ total: string }>(
    varying(sql`
      select count(*)::text as total from contribution_collection.contributions as c
      where ${conditionOf(question, searchContext)}`),
  )
  return Number(total)
}
