import { Failure, invalid } from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import type { Lifecycle } from '../shapes/contract.ts'
import { after } from '../shapes/time.ts'
import type { LockState, VaultRow } from './store.ts'

type Locked = Pick<VaultRow, 'name' | 'locked' | 'lockAt' | 'forever' | 'minDays' | 'maxDays'>

/** Whether nobody can unlock it any more, whoever it is. */
export const isForever = ({ locked, lockAt, forever }: Locked, now: Date) =>
  locked && (forever || (lockAt !== null && lockAt <= now))

export interface LockRequest {
  readonly MinRetentionDays?: number
  readonly MaxRetentionDays?: number
  readonly ChangeableForDays?: number
}

/** A vault locked as requested, if it may still be changed. */
export function locked(vault: Locked, request: LockRequest, now: Date): LockState {
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

export function refuseIfForever(vault: Locked, now: Date): void {
  if (isForever(vault, now))
    throw new Failure('invalid', `The vault '${vault.name}' was locked for ever: its lock cannot be changed.`, {
      code: invalidRequest,
    })
}

/** Of a locked vault nothing is deleted or kept for less long, except by the life cycle that everything came with. */
export function refuseIfLocked({ name, locked }: Locked): void {
  if (locked)
    throw new Failure('invalid', `The vault '${name}' is locked: its recovery points go when their time has come.`, {
      code: invalidRequest,
    })
}

/** Refuses to keep something for longer or shorter than the lock of a vault says. */
export function checkRetention({ name, locked, minDays, maxDays }: Locked, { DeleteAfterDays: days }: Lifecycle): void {
  if (!locked) return
  const limit = [minDays !== null && `at least ${minDays}`, maxDays !== null && `at most ${maxDays}`].filter(Boolean)
  const isTooShort = minDays !== null && days !== undefined && days < minDays
  const isTooLong = maxDays !== null && (days === undefined || days > maxDays)
  if (isTooShort || isTooLong)
    throw new Failure('invalid', `The vault '${name}' is locked to retentions of ${limit.join(' and ')} days.`, {
      code: invalidRequest,
    })
}
