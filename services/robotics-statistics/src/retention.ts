import type { Retention } from '@icosa/kernel'

/** Seasons are imported by an operator and stay: below 1 GB each. */
export const retention: Retention = {
  lists: 'a few for every event that was imported',
  items: 'what was imported, replaced when it is imported again',
  answers: 'a few for every list',
  mirrored: 'one for every address of a season',
}
