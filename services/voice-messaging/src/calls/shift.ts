import { randomUUID } from 'node:crypto'

/** By which a job finds the calls that it was running when its worker died. */
export interface Shift {
  readonly shift: string
}

export const newShift = (): Shift => ({ shift: randomUUID() })
