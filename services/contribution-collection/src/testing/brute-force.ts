import { distanceKm } from '../geo/cover.ts'
import type { Question, Viewer } from '../search/question.ts'
import type { Synthetic } from './synthetic.ts'

/** Tests every contribution. Newest first. */
export function bruteForce(all: readonly Synthetic[], question: Question, viewer: Viewer): Synthetic[] {
  const filters = filtersOf(question, viewer)
  return all
    .filter((contribution) => filters.every((matches) => matches(contribution)))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || Number(b.id) - Number(a.id))
}

type Matches = (contribution: Synthetic) => boolean

function filtersOf(question: Question, { user, isTenant }: Viewer): Matches[] {
  const {
    assignment,
    country,
    cells,
    hasLocation,
    near,
    mediaType,
    owner,
    words = [],
    urlWords,
    author,
    ids,
  } = question
  const maySee: Matches = (contribution) =>
    isTenant || contribution.author === user || contribution.owner === user || contribution.isPublic
  const { states } = question
  return [
    states === 'public'
      ? (contribution) => contribution.isPublic
      : (contribution) => (states as readonly string[]).includes(contribution.state) && maySee(contribution),
    (contribution) => assignment === undefined || contribution.assignment === assignment,
    (contribution) => country === undefined || contribution.country === country,
    (contribution) => owner === undefined || contribution.owner === owner,
    (contribution) => author === undefined || contribution.author === author,
    (contribution) => mediaType === undefined || contribution.mediaTypes.includes(mediaType),
    (contribution) => hasLocation === undefined || (contribution.point !== null) === hasLocation,
    (contribution) => urlWords === undefined || contribution.urlWords === urlWords,
    (contribution) => ids === undefined || ids.includes(contribution.id),
    (contribution) => words.every((word) => contribution.words.includes(word)),
    (contribution) =>
      !cells ||
      cells.some(
        (cell) => contribution.cell?.startsWith(cell) === true && Number(contribution.cellPrecision) >= cell.length,
      ),
    (contribution) => !near || (contribution.point !== null && distanceKm(near, contribution.point) <= near.radiusKm),
    (contribution) =>
      question.created.every(
        ({ from, after, before }) =>
          (!from || contribution.createdAt >= from) &&
          (!after || contribution.createdAt > after) &&
          (!before || contribution.createdAt < before),
      ),
  ]
}

export function countValues(values: readonly (string | null)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
