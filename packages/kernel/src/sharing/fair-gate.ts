import { Failure } from '../errors.ts'
import { Places } from './places.ts'
import type { Party } from './share.ts'
import { sweeper } from './sweeper.ts'

/**
 * Lets work run, so much at once. Who finds no place waits in the line of its own party; places that become free go to the
 * lines by turns, and nobody gets all of them. A party's own work runs in the order in which it came.
 */
export interface FairGate {
  /** Rejects with a failure that says when to come again, if the party's turn does not come. */
  run<T>(party: Party, work: () => Promise<T>): Promise<T>
  load(): { readonly running: number; readonly waiting: number }
}

export interface FairGateOptions {
  /** How many may wait, all parties together, each of them its share of it. */
  readonly maxWaiting?: number
  /** For how long. */
  readonly waitMs?: number
}

interface Waiter {
  readonly since: number
  readonly begin: () => void
  readonly refuse: (failure: Failure) => void
}

export function fairGate(places: number, options: FairGateOptions = {}): FairGate {
  const { maxWaiting = Number.POSITIVE_INFINITY, waitMs } = options
  const shared = new Places<Waiter>({ places, maxWaiting, begin: (_, waiter) => waiter.begin() })
  const sweep =
    waitMs !== undefined &&
    sweeper(waitMs / 10, () => {
      for (const waiter of shared.expire(performance.now() - waitMs)) waiter.refuse(tooLate())
      return shared.waiting > 0
    })

  /** Nothing if the work may begin at once. */
  function enter(party: Party): undefined | Promise<void> {
    if (shared.take(party)) return undefined
    return new Promise((begin, refuse) => {
      if (!shared.wait(party, { since: performance.now(), begin, refuse })) refuse(tooMany())
      else if (sweep) sweep()
    })
  }

  // Not `finally`, which takes three promises: this is on the path of every request.
  const begin = <T>(party: Party, work: () => Promise<T>) =>
    work().then(
      (result) => {
        shared.leave(party)
        return result
      },
      (error) => {
        shared.leave(party)
        throw error
      },
    )

  return {
    run(party, work) {
      const turn = enter(party)
      return turn ? turn.then(() => begin(party, work)) : begin(party, work)
    },
    load: () => ({ running: shared.taken, waiting: shared.waiting }),
  }
}

const tooLate = () => new Failure('unavailable', 'The node is overloaded: try again shortly.', { retryAfterSeconds: 1 })

const tooMany = () =>
  new Failure('rateLimited', 'Too many of your requests are already waiting: send fewer at once.', {
    retryAfterSeconds: 1,
  })
