import { exponentialBackoff, pauseAfter } from '@icosa/delivery'
import { type Job, job } from '@icosa/kernel'
import { resolveDestination } from '../event-destinations/resolve.ts'
import type { Assignment } from '../event-destinations/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { VoiceSettings } from '../settings.ts'
import * as store from './delivery-store.ts'
import { sendEvents } from './send.ts'

export interface Delivery extends Assignment {
  /** Number of consecutive failures. */
  readonly failures: number
}

const batchSize = 100
const pauseMs = exponentialBackoff(1_000, 2)
/** Then another job takes over, so that a worker can stop. */
const maxBatches = 20

/** Delivers the events of one destination in order, independently of other destinations. */
export function deliverJob(settings: VoiceSettings): Job<Delivery, ServiceRuntime> {
  const deliver: Job<Delivery, ServiceRuntime> = job<Delivery, ServiceRuntime>('deliver', {
    retries: 10,
    async run(delivery, context) {
      const { db, transaction, clock, log } = context
      for (let batch = 0; batch < maxBatches; batch++) {
        const destination = await store.find(db, delivery)
        if (!destination) return
        const waiting = destination.enabled ? await store.next(db, delivery, batchSize) : []
        if (waiting.length === 0) {
          if (await transaction((tx) => store.finish(tx, delivery))) return
          continue
        }
        const { arn } = destination
        const resolve = () => resolveDestination(delivery.tenant, destination, settings)
        const { delivered, outcome } = await sendEvents(resolve, arn, waiting, context)
        const numbers = waiting.slice(0, delivered).map(({ number }) => number)
        if (delivered > 0) await transaction((tx) => store.removeDelivered(tx, delivery, numbers))
        if (outcome.result === 'delivered') continue
        // A rejected batch is retried, too: its owner may fix the destination, and no event may be skipped.
        const failures = delivered > 0 ? 1 : delivery.failures + 1
        const at = new Date(clock.now().getTime() + pauseAfter(outcome, pauseMs(failures)))
        log.warn({ destination: arn, failures, retryAt: at, problem: outcome.message }, 'events could not be delivered')
        return (_, jobs) => jobs.enqueue(deliver, { ...delivery, failures }, { at })
      }
      return (_, jobs) => jobs.enqueue(deliver, { ...delivery, failures: 0 })
    },
    failed: (delivery, db) => store.abandon(db, delivery),
  })
  return deliver
}
