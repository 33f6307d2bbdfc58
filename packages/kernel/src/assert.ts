/** A bug of the platform itself: an invariant does not hold. Callers see an internal error; the log has the message. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
}

/** For invariants that only a bug can break, at the few places that everything passes. Input is refused by a `Failure`. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message)
}
