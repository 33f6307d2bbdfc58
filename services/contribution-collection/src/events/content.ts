import type { ContributionRow } from '../contributions/store.ts'
import type { EventContent } from './types.ts'

/** Snapshot of a contribution. */
export const contentOf = (
  { id, assignment, headline, body, attribution, createdAt, state, urlWords, place }: ContributionRow,
  assignmentName: string,
): EventContent => ({
  id,
  assignment: { id: assignment, name: assignmentName },
  headline,
  ...(body !== null && { body }),
  attribution,
  created: createdAt.toISOString(),
  state,
  urlWords,
  ...(place !== null && { place }),
})
