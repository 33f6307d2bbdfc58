import type { ContributionRow } from '../contributions/store.ts'
import type { EventContent } from './types.ts'

/** What is said of a contribution, as it is now. */
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
