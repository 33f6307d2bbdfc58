import type { ReadingContext } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { Held } from '../held.ts'
import type { Asked } from '../search/conditions-store.ts'

/** Who asks, and when. */
export const askedBy = ({ caller, clock, held }: Pick<ReadingContext<Held>, 'caller' | 'clock' | 'held'>): Asked => ({
  tenant: caller.tenant,
  viewer: contributor(caller),
  now: clock.now(),
  geography: held.geography,
})
