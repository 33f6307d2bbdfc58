import { distanceKm } from '../geo/cover.ts'
import type { Question, Viewer } from '../search/question.ts'
import type { Synthetic } from './synthetic.ts'

/** What a question finds, by looking at everything: the newest first. */
export function found(all: readonly Synthetic[], question: Question, viewer: Viewer): Synthetic[] {
  const filters = filtersOf(question, viewer)
  return all
    .filter((one) => filters.every((holds) => holds(one)))
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || Number(other.id) - Number(one.id))
}

type Holds = (one: Synthetic) => boolean

function filtersOf(question: Question, { user, isTenant }: Viewer): Holds[] {
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
  const maySee: Holds = (one) => isTenant || one.author === user || one.owner === user || one.isPublic
  const { states } = question
  return [
    states === 'public'
      ? (one) => one.isPublic
      : (one) => (states as readonly string[]).includes(one.state) && maySee(one),
    (one) => assignment === undefined || one.assignment === assignment,
    (one) => country === undefined || one.country === country,
    (one) => owner === undefined || one.owner === owner,
    (one) => author === undefined || one.author === author,
    (one) => mediaType === undefined || one.mediaTypes.includes(mediaType),
    (one) => hasLocation === undefined || (one.point !== null) === hasLocation,
    (one) => urlWords === undefined || one.urlWords === urlWords,
    (one) => ids === undefined || ids.includes(one.id),
    (one) => words.every((word) => one.words.includes(word)),
    (one) =>
      !cells || cells.some((cell) => one.cell?.startsWith(cell) === true && Number(one.cellPrecision) >= cell.length),
    (one) => !near || (one.point !== null && distanceKm(near, one.point) <= near.radiusKm),
    (one) =>
      question.created.every(
        ({ from, after, before }) =>
          (!from || one.createdAt >= from) && (!after || one.createdAt > after) && (!before || one.createdAt < before),
      ),
  ]
}

/** How many of them have each value. */
export function counted(values: readonly (string | null)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
