import { Failure } from '@icosa/kernel'

/** What a job that has failed says of it: nothing of our own inner life. */
export const messageOf = (error: Error) =>
  error instanceof Failure ? error.message : 'Something went wrong on our side: the log of the worker says what.'
