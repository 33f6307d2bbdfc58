import { randomUUID } from 'node:crypto'

/** By which a job finds the calls again that it had in its hands when its worker died. */
export interface Shift {
  readonly shift: string
}

export const newShift = (): Shift => ({ shift: randomUUID() })
