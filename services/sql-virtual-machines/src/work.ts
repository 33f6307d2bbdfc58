import { Failure } from '@icosa/kernel'

/** Provisioning state of a resource. */
export type State = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'Deleting'

/** An operation on a resource; only the latest one may finish. */
export interface Work {
  readonly id: string
  readonly work: string
}

export function interrupted(): never {
  throw new Failure('conflict', 'A later operation has replaced this one.', { code: 'OperationInterrupted' })
}

export function busy(noun: string, name: string, state: State): never {
  const advice = state === 'Failed' ? 'repeat the PUT, or delete it' : 'wait until the current operation has ended'
  throw new Failure('conflict', `The ${noun} '${name}' is ${state}: ${advice}.`, { code: 'ConflictingOperation' })
}
