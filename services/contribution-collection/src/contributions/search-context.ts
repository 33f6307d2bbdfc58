import type { ReadingContext } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SearchContext } from '../search/conditions-store.ts'

export const searchContextOf = ({
  caller,
  clock,
  runtime,
}: Pick<ReadingContext<ServiceRuntime>, 'caller' | 'clock' | 'runtime'>): SearchContext => ({
  tenant: caller.tenant,
  viewer: contributor(caller),
  now: clock.now(),
  geography: runtime.geography,
})
