import type { Retention } from '@icosa/kernel'

/** Seasons are imported by an operator and never deleted: below 1 GB each. */
export const retention: Retention = {
  lists: 'a few for every imported event',
  items: 'imported items, replaced by the next import',
  answers: 'a few for every list',
  mirrored: 'one for every address of a season',
}
