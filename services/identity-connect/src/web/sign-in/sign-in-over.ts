/** A sign-in that cannot go on: too old, finished elsewhere, or another one has begun in this browser. */
export class SignInOver extends Error {}

/** The library says the same in its own way; it is not loaded just to ask. */
export const isOver = (error: unknown) =>
  error instanceof SignInOver || (error instanceof Error && error.constructor.name === 'SessionNotFound')
