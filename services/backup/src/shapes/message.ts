import { ProgramFailed } from '@icosa/compute'
import { Failure } from '@icosa/kernel'

/** The message of a failed job. What a program printed stays in the log: it may name the operator's paths and hosts. */
export const messageOf = (error: Error) =>
  error instanceof Failure && !(error instanceof ProgramFailed)
    ? error.message
    : 'Something went wrong on our side: the log of the worker says what.'
