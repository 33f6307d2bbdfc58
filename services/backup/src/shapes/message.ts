import { ProgramFailed } from '@icosa/compute'
import { Failure } from '@icosa/kernel'

/** The message of a failed job. Output of programs stays in the log: it may contain the operator's paths and hosts. */
export const messageOf = (error: Error) =>
  error instanceof Failure && !(error instanceof ProgramFailed)
    ? error.message
    : 'Something went wrong on our side: see the log of the worker.'
