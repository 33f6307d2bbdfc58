import { type ReadingDb, sql, varying } from '@icosa/kernel'
import { type ContributionRow, columns } from '../contributions/store.ts'
import { type Asked, conditionOf } from './conditions-store.ts'
import type { Question } from './question.ts'

/** Where a page starts: behind this row. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** The newest first. */
export function list(
  db: ReadingDb,
  question: Question,
  asked: Asked,
  {
    after,
    limit,
    offset = 0,
  }: { readonly after?: Position | undefined; readonly limit: number; readonly offset?: number },
): Promise<ContributionRow[]> {
  const from = after ? sql` and (c.created_at, c.id) < (${after.createdAt}, ${after.id}::bigint)` : sql``
  return db.many(
    varying(sql`
      select ${columns} from contribution_collection.contributions as c where ${conditionOf(question, asked)}${from}
      order by c.created_at desc, c.id desc limit ${limit} offset ${offset}`),
  )
}

export async function count(db: ReadingDb, question: Question, asked: Asked): Promise<number> {
  const { found } = await db.one<{ found: string }>(
    varying(sql`
      select count(*)::text as found from contribution_collection.contributions as c
      where ${conditionOf(question, asked)}`),
  )
  return Number(found)
}
