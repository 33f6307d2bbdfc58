import { join, type ReadingDb, sql, varying } from '@icosa/kernel'
import { maxPrecision } from '../geo/place.ts'
import { scopeOf, tallied } from '../tallies/store.ts'
import { conditionOf, type SearchContext } from './conditions-store.ts'
import type { Question } from './question.ts'
import { coarsest, countsOf, type Refinement } from './refinements-store.ts'

export interface Option {
  readonly value: string
  readonly contributions: number
}

/** The most frequent options with their counts, from the tallies where possible. */
export async function options(
  db: ReadingDb,
  names: readonly Refinement[],
  question: Question,
  searchContext: SearchContext,
  size: number,
): Promise<ReadonlyMap<Refinement, Option[]>> {
  if (names.length === 0) return new Map()
  const scope = scopeOf(question)
  const statement = scope ? tallied(names, scope, searchContext, size) : counted(names, question, searchContext, size)
  const rows = await db.many<{ refinement: Refinement; value: string; contributions: string }>(varying(statement))
  const byName = Map.groupBy(rows, ({ refinement }) => refinement)
  const toOption = ({ value, contributions }: (typeof rows)[number]) => ({
    value,
    contributions: Number(contributions),
  })
  return new Map(names.map((name) => [name, (byName.get(name) ?? []).map(toOption)]))
}

/** Counts the matching contributions, which the statement collects once. */
function counted(names: readonly Refinement[], question: Question, searchContext: SearchContext, size: number) {
  // One level finer than the filter.
  const length = Math.min(maxPrecision, Math.max(coarsest, ...(question.cells ?? []).map((cell) => cell.length + 1)))
  const rows = sql`contribution_collection.contributions as c where ${conditionOf(question, searchContext)}`
  const { tables, counts } = countsOf(names, length, rows, sql`1`)
  const topValues = counts.map(
    (refinement) => sql`(${refinement.counts} order by contributions desc, value collate "C" limit ${size})`,
  )
  return sql`with ${tables} ${join(topValues, ' union all ')}`
}
