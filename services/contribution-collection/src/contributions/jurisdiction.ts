import { Failure, type ReadingContext } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type ContributionRow, moderates } from './store.ts'

/** Whether the caller decides about it: as the tenant, as the owner of its assignment, or as the one who moderates that. */
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
    throw new Failure('forbidden', `The contribution '${row.id}' is for others to moderate.`)
}
