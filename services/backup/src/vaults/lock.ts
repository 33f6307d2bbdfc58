import { Failure, invalid } from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import type { Lifecycle } from '../shapes/contract.ts'
import { after } from '../shapes/time.ts'
import type { LockState, VaultRow } from './store.ts'

type Lock = Pick<VaultRow, 'name' | 'locked' | 'lockAt' | 'forever' | 'minDays' | 'maxDays'>

/** Whether the lock is permanent. */
export const isForever = ({ locked, lockAt, forever }: Lock, now: Date) =>
  locked && (forever || (lockAt !== null && lockAt <= now))

export interface LockRequest {
  readonly MinRetentionDays?: number
  readonly MaxRetentionDays?: number
  readonly ChangeableForDays?: number
}

/** Returns the requested lock, unless the current one is permanent. */
export function locked(vault: Lock, request: LockRequest, now: Date): LockState {
  refuseIfForever(vault, now)
  const { MinRetentionDays: minDays = null, MaxRetentionDays: maxDays = null, ChangeableForDays: days } = request
  checkOrder(minDays, maxDays)
  return { locked: true, minDays, maxDays, lockAt: days === undefined ? null : after(now, days) }
}

export function checkOrder(minDays: number | null, maxDays: number | null): void {
  if (minDays !== null && maxDays !== null && minDays > maxDays)
    invalid([{ at: 'body/MinRetentionDays', message: 'must not be more than MaxRetentionDays' }])
}

export const unlocked: LockState = { locked: false, lockAt: null, minDays: null, maxDays: null }

export function refuseIfForever(vault: Lock, now: Date): void {
  if (isForever(vault, now))
    throw new Failure('invalid', `The vault '${vault.name}' is locked permanently: its lock cannot be changed.`, {
      code: invalidRequest,
    })
}

/** Recovery points of a locked vault are only deleted when they expire; their lifecycle does not change. */
export function refuseIfLocked({ name, locked }: Lock): void {
  if (locked)
    throw new Failure('invalid', `The vault '${name}' is locked: its recovery points are deleted when they expire.`, {
      code: invalidRequest,
    })
}

/** Rejects a retention outside the limits of a vault's lock. */
export function checkRetention({ name, locked, minDays, maxDays }: Lock, { DeleteAfterDays: days }: Lifecycle): void {
  if (!locked) return
  const limit = [minDays !== null && `at least ${minDays}`, maxDays !== null && `at most ${maxDays}`].filter(Boolean)
  const isTooShort = minDays !== null && days !== undefined && days < minDays
  const isTooLong = maxDays !== null && (days === undefined || days > maxDays)
  if (isTooShort || isTooLong)
    throw new Failure('invalid', `The vault '${name}' is locked to retentions of ${limit.join(' and ')} days.`, {
      code: invalidRequest,
    })
}
