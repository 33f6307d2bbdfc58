import type { ReadingDb } from '@icosa/kernel'
import { shelvesOf } from '../index/shelf.ts'
import { rankedBy } from '../plan/tsquery.ts'
import type { SearchRequest } from '../question/request.ts'
import { type Candidate, ranksOf } from './store.ts'

/** So many of the first ones are put into their order by how well their words fit. */
export const ranked = 30

const yearMs = 365.25 * 86_400_000

/** Groups one after the other; by relevance, each by how well words fit, its podcasts' scores and its age. */
export async function inOrder(
  db: ReadingDb,
  tenant: string,
  request: SearchRequest,
  tenantNumber: number,
  groups: readonly (readonly Candidate[])[],
  now: Date,
): Promise<readonly Candidate[]> {
  const all = groups.flat()
  const first = all.slice(0, ranked)
  const { kind, order, question, offset } = request
  if (order === 'date' || question.required.length === 0 || first.length < 2 || offset >= first.length) return all
  const words = shelvesOf(tenantNumber, kind).map((shelf) => `(${rankedBy(shelf, request)})`)
  const ids = first.map(({ id }) => id)
  const ranks = await ranksOf(db, tenant, kind, ids, words.join(' | '))
  const worth = ({ id, score, publishedMs }: Candidate) => {
    const years = Math.max(0, now.getTime() - publishedMs) / yearMs
    return (ranks.get(id) ?? 0) * (1 + score / 100) * (0.5 + 0.5 ** (1 + years))
  }
  const worths = new Map(first.map((one) => [one, worth(one)]))
  const worthOf = (one: Candidate) => worths.get(one) ?? -1 // those that are not ranked stay as they are, behind
  return groups.flatMap((group) => group.toSorted((a, b) => worthOf(b) - worthOf(a)))
}
