import { Failure } from '@icosa/kernel'

/** Why a request gets no answer of the function's, as its caller is told. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Whether the function itself is to blame, or what it asks for. */
export const isTheirs = (error: unknown): error is Failure => error instanceof Failure && error.kind === 'invalid'

const firstPauseMs = 1_000
const maxPauseMs = 30_000

/** The last start of an instance, if it failed: until when nobody tries again, and what callers are told meanwhile. */
export class Setback {
  readonly refusal: Refusal
  readonly #until: number
  readonly #pauseMs: number

  constructor(error: unknown, before: Setback | undefined) {
    this.refusal = isTheirs(error)
      ? new Refusal(500, 'The function cannot be started: its log says why.') // which is not for everybody
      : new Refusal(503, `The function cannot be run now: ${error instanceof Failure ? error.message : 'try again.'}`)
    // Code that ends again and again is tried ever less often; a node that is full may have room at any time.
    this.#pauseMs = isTheirs(error) && before ? Math.min(before.#pauseMs * 2, maxPauseMs) : firstPauseMs
    this.#until = performance.now() + this.#pauseMs
  }

  get isPause(): boolean {
    return performance.now() < this.#until
  }
}
