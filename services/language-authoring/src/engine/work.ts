/** About 200 ms of CPU. Steps are counted, not timed, so that a query costs the same on every machine. */
const maxSteps = 4_000_000

/** Has the kind of a `Failure`, which prediction threads cannot use since they do not load the kernel. */
export class TooCostly extends Error {
  readonly kind = 'limitReached'

  constructor() {
    super(
      'The patterns, regex entities and lists of this app exceed the work limit of a query. ' +
        'Use fewer of them, or fewer pattern.any entities in a pattern.',
    )
  }
}

/** Limits the work of an app's rules for one query. */
export class WorkBudget {
  #remaining = maxSteps

  spend(steps: number): void {
    this.#remaining -= steps
    if (this.#remaining < 0) throw new TooCostly()
  }
}
