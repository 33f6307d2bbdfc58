import type { ReadingContext } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Asked } from '../search/conditions-store.ts'

/** Who asks, and when. */
export const askedBy = ({
  caller,
  clock,
  runtime,
}: Pick<ReadingContext<ServiceRuntime>, 'caller' | 'clock' | 'runtime'>): Asked => ({
  tenant: caller.tenant,
  viewer: contributor(caller),
  now: clock.now(),
  geography: runtime.geography,
})
