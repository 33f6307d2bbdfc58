/** A broken invariant: a bug in the platform. Callers get an internal error; the message goes to the log. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/** Checks an invariant that only a bug can break. Invalid input is a `Failure` instead. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message)
}
