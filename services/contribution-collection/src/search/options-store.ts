import { join, type ReadingDb, sql, varying } from '@icosa/kernel'
import { finest } from '../geo/place.ts'
import { scopeOf, tallied } from '../tallies/store.ts'
import { type Asked, conditionOf } from './conditions-store.ts'
import type { Question } from './question.ts'
import { coarsest, countsOf, type Refinement } from './refinements-store.ts'

export interface Option {
  readonly value: string
  readonly contributions: number
}

/** The options that most contributions have, with how many have them. Counted before, where that can be. */
export async function options(
  db: ReadingDb,
  names: readonly Refinement[],
  question: Question,
  asked: Asked,
  size: number,
): Promise<ReadonlyMap<Refinement, Option[]>> {
  if (names.length === 0) return new Map()
  const scope = scopeOf(question)
  const statement = scope ? tallied(names, scope, asked, size) : found(names, question, asked, size)
  const rows = await db.many<{ refinement: Refinement; value: string; contributions: string }>(varying(statement))
  const byName = Map.groupBy(rows, ({ refinement }) => refinement)
  const shown = ({ value, contributions }: (typeof rows)[number]) => ({ value, contributions: Number(contributions) })
  return new Map(names.map((name) => [name, (byName.get(name) ?? []).map(shown)]))
}

/** What the question finds is collected once. */
function found(names: readonly Refinement[], question: Question, asked: Asked, size: number) {
  // Finer than what was asked for, so that an option takes its place.
  const length = Math.min(finest, Math.max(coarsest, ...(question.cells ?? []).map((cell) => cell.length + 1)))
  const rows = sql`contribution_collection.contributions as c where ${conditionOf(question, asked)}`
  const { tables, counts } = countsOf(names, length, rows, sql`1`)
  const most = counts.map((one) => sql`(${one.counts} order by contributions desc, value collate "C" limit ${size})`)
  return sql`with ${tables} ${join(most, ' union all ')}`
}
