import { CKF } from '../constants.ts'
import type { Trouble } from './messages.ts'

/** Why a PIN is not to be tried at a token that says this of itself: a wrong one could lock it, or has. */
export function pinTrouble(flags: number): Extract<Trouble, 'locked' | 'lastTry'> | undefined {
  if (flags & CKF.USER_PIN_LOCKED) return 'locked'
  return flags & CKF.USER_PIN_FINAL_TRY ? 'lastTry' : undefined
}
