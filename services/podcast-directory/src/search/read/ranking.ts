import type { ReadingDb } from '@icosa/kernel'
import { shelvesOf } from '../index/shelf.ts'
import { rankedBy } from '../plan/tsquery.ts'
import type { SearchRequest } from '../question/request.ts'
import { type Candidate, ranksOf } from './store.ts'

/** Number of first candidates to sort by relevance. */
export const ranked = 30

const yearMs = 365.25 * 86_400_000

/** Concatenates groups; by relevance, each is sorted by rank, score and age. */
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
  const weight = ({ id, score, publishedMs }: Candidate) => {
    const years = Math.max(0, now.getTime() - publishedMs) / yearMs
    return (ranks.get(id) ?? 0) * (1 + score / 100) * (0.5 + 0.5 ** (1 + years))
  }
  const weights = new Map(first.map((candidate) => [candidate, weight(candidate)]))
  const weightOf = (candidate: Candidate) => weights.get(candidate) ?? -1 // unranked candidates stay behind, in order
  return groups.flatMap((group) => group.toSorted((a, b) => weightOf(b) - weightOf(a)))
}
