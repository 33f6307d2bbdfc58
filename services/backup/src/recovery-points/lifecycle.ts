import { invalid } from '@icosa/kernel'
import type { Lifecycle } from '../shapes/contract.ts'
import { after, timed } from '../shapes/time.ts'
import type { PointRow } from './store.ts'

/** Minimum number of days in cold storage. */
const minColdDays = 90

export function checkedLifecycle(lifecycle: Lifecycle = {}, at: string): Lifecycle {
  const { MoveToColdStorageAfterDays: cold, DeleteAfterDays: deleteAfter } = lifecycle
  if (cold !== undefined && deleteAfter !== undefined && deleteAfter < cold + minColdDays)
    invalid([
      { at: `${at}/DeleteAfterDays`, message: `must be ${minColdDays} days after MoveToColdStorageAfterDays, or more` },
    ])
  return lifecycle
}

type LifecycleRow = Pick<PointRow, 'createdAt' | 'coldAfterDays' | 'deleteAfterDays' | 'optIn' | 'deleteAt'>

export const coldAt = ({ createdAt, coldAfterDays }: Pick<LifecycleRow, 'createdAt' | 'coldAfterDays'>) =>
  coldAfterDays === null ? null : after(createdAt, coldAfterDays)

export function toLifecycle({ coldAfterDays, deleteAfterDays, optIn }: LifecycleRow): Lifecycle {
  return {
    ...(coldAfterDays !== null && { MoveToColdStorageAfterDays: coldAfterDays }),
    ...(deleteAfterDays !== null && { DeleteAfterDays: deleteAfterDays }),
    ...(optIn !== null && { OptInToArchiveForSupportedResources: optIn }),
  }
}

export const calculated = (row: LifecycleRow) => ({
  ...timed('MoveToColdStorageAt', coldAt(row)),
  ...timed('DeleteAt', row.deleteAt),
})

/** The columns of a lifecycle that starts with the recovery point. */
export function lifecycleColumns(lifecycle: Lifecycle, createdAt: Date) {
  const { MoveToColdStorageAfterDays, DeleteAfterDays, OptInToArchiveForSupportedResources } = lifecycle
  return {
    coldAfterDays: MoveToColdStorageAfterDays ?? null,
    deleteAfterDays: DeleteAfterDays ?? null,
    optIn: OptInToArchiveForSupportedResources ?? null,
    deleteAt: DeleteAfterDays === undefined ? null : after(createdAt, DeleteAfterDays),
  }
}
