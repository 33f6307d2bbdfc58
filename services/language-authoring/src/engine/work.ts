/** About 200 ms of CPU. Steps are counted, not timed: a question costs the same on every machine, however busy it is. */
const maxSteps = 4_000_000

/** In prediction threads, which do not load the kernel, an error with the kind of a `Failure`. */
export class TooCostly extends Error {
  readonly kind = 'limitReached'

  constructor() {
    super(
      'The patterns, regex entities and lists of this app take more work than one question may cost. ' +
        'Use fewer of them, or fewer pattern.any entities in a pattern.',
    )
  }
}

/** The work that an app's own rules may take for one question. */
export class WorkBudget {
  #left = maxSteps

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooCostly()
  }
}
