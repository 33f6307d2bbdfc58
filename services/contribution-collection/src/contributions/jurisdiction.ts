import { Failure, type ReadingContext } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type ContributionRow, moderates } from './store.ts'

/** Whether the caller may moderate it: as the tenant, or as the owner or moderator of its assignment. */
export async function hasJurisdiction(
  { db, caller }: Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller'>,
  { owner, assignment }: ContributionRow,
): Promise<boolean> {
  const { user, isTenant } = contributor(caller)
  if (isTenant || owner === user) return true
  return (await moderates(db, caller.tenant, user, [assignment])).size > 0
}

export async function demandJurisdiction(context: ReadingContext<ServiceRuntime>, row: ContributionRow): Promise<void> {
  if (!(await hasJurisdiction(context, row)))
    throw new Failure('forbidden', `You may not moderate the contribution '${row.id}'.`)
}
