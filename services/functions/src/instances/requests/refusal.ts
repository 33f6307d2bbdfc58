import { Failure } from '@icosa/kernel'
import { keyInaccessible } from '../../encryption/data-keys.ts'

/** Response of the platform to a request that the function did not answer. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Whether the function or its configuration is at fault. */
export const isFunctionError = (error: unknown): error is Failure =>
  error instanceof Failure && (error.kind === 'invalid' || error.code === keyInaccessible)

const initialDelayMs = 1_000
const maxDelayMs = 30_000

/** Exponential backoff after a failed start of an instance, with the response that requests get meanwhile. */
export class StartBackoff {
  readonly refusal: Refusal
  readonly #until: number
  readonly #delayMs: number

  constructor(error: unknown, previous: StartBackoff | undefined) {
    this.refusal = isFunctionError(error)
      ? new Refusal(500, 'The function cannot be started: its log says why.') // callers may not read it
      : new Refusal(503, `The function cannot be run now: ${error instanceof Failure ? error.message : 'try again.'}`)
    // The delay doubles for code that keeps failing; a full node may have memory again at any time.
    this.#delayMs = isFunctionError(error) && previous ? Math.min(previous.#delayMs * 2, maxDelayMs) : initialDelayMs
    this.#until = performance.now() + this.#delayMs
  }

  get isActive(): boolean {
    return performance.now() < this.#until
  }
}
