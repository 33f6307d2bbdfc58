import { randomUUID } from 'node:crypto'

/** Identifies the calls of a job, so that its retry finds those that were interrupted. */
export interface Shift {
  readonly shift: string
}

export const newShift = (): Shift => ({ shift: randomUUID() })
