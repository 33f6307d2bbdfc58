/** Yields to the event loop during a long computation, and stops it on abort. */
export class Pace {
  readonly #signal: AbortSignal | undefined
  readonly #onProgress: ((done: number) => void) | undefined
  #since = performance.now()

  constructor(signal?: AbortSignal, onProgress?: (done: number) => void) {
    this.#signal = signal
    this.#onProgress = onProgress
  }

  progress(done: number): void {
    this.#onProgress?.(done)
  }

  /** Cheap enough for every hundredth sentence. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#since > 50) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#since = performance.now()
    }
    this.#signal?.throwIfAborted()
  }
}
