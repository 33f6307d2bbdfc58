import { CKF } from '../constants.ts'
import type { Trouble } from './messages.ts'

/** Returns why a PIN must not be tried, by the token's flags: a wrong one could lock it, or has. */
export function pinTrouble(flags: number): Extract<Trouble, 'locked' | 'lastTry'> | undefined {
  if (flags & CKF.USER_PIN_LOCKED) return 'locked'
  return flags & CKF.USER_PIN_FINAL_TRY ? 'lastTry' : undefined
}
