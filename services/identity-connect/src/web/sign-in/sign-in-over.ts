/** A sign-in that cannot continue: expired, completed elsewhere, or superseded in this browser. */
export class SignInOver extends Error {}

/** Compares the library's error by name, to avoid loading the library. */
export const isOver = (error: unknown) =>
  error instanceof SignInOver || (error instanceof Error && error.constructor.name === 'SessionNotFound')
