import { invalid } from '@icosa/kernel'
import type { Lifecycle } from '../shapes/contract.ts'
import { after, timed } from '../shapes/time.ts'
import type { PointRow } from './store.ts'

/** What is moved to cold storage stays there for at least so long. */
const coldDays = 90

export function checkedLifecycle(lifecycle: Lifecycle = {}, at: string): Lifecycle {
  const { MoveToColdStorageAfterDays: cold, DeleteAfterDays: deleted } = lifecycle
  if (cold !== undefined && deleted !== undefined && deleted < cold + coldDays)
    invalid([
      { at: `${at}/DeleteAfterDays`, message: `must be ${coldDays} days after MoveToColdStorageAfterDays, or more` },
    ])
  return lifecycle
}

type Kept = Pick<PointRow, 'createdAt' | 'coldAfterDays' | 'deleteAfterDays' | 'optIn' | 'deleteAt'>

export const coldAt = ({ createdAt, coldAfterDays }: Pick<Kept, 'createdAt' | 'coldAfterDays'>) =>
  coldAfterDays === null ? null : after(createdAt, coldAfterDays)

export function toLifecycle({ coldAfterDays, deleteAfterDays, optIn }: Kept): Lifecycle {
  return {
    ...(coldAfterDays !== null && { MoveToColdStorageAfterDays: coldAfterDays }),
    ...(deleteAfterDays !== null && { DeleteAfterDays: deleteAfterDays }),
    ...(optIn !== null && { OptInToArchiveForSupportedResources: optIn }),
  }
}

export const calculated = (row: Kept) => ({
  ...timed('MoveToColdStorageAt', coldAt(row)),
  ...timed('DeleteAt', row.deleteAt),
})

/** The columns of a life cycle that begins with the recovery point. */
export function lifecycleColumns(lifecycle: Lifecycle, createdAt: Date) {
  const { MoveToColdStorageAfterDays, DeleteAfterDays, OptInToArchiveForSupportedResources } = lifecycle
  return {
    coldAfterDays: MoveToColdStorageAfterDays ?? null,
    deleteAfterDays: DeleteAfterDays ?? null,
    optIn: OptInToArchiveForSupportedResources ?? null,
    deleteAt: DeleteAfterDays === undefined ? null : after(createdAt, DeleteAfterDays),
  }
}
