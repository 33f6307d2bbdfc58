import { exponentialBackoff, pauseAfter } from '@icosa/delivery'
import { type Job, job } from '@icosa/kernel'
import { resolveDestination } from '../event-destinations/resolve.ts'
import type { Assignment } from '../event-destinations/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { VoiceSettings } from '../settings.ts'
import * as store from './delivery-store.ts'
import { sendEvents } from './send.ts'

/** A destination, the jobs that deliver to it, and how often in a row nothing could be delivered. */
export interface Delivery extends Assignment {
  readonly failures: number
}

const batch = 100
const pauseMs = exponentialBackoff(1_000, 2)
/** Then another job goes on: a worker that wants to stop does not wait for a destination that is never done. */
const turns = 20

/** Delivers the events of one destination, in order. Others have jobs of their own, and do not wait for it. */
export function deliverJob(settings: VoiceSettings): Job<Delivery, ServiceRuntime> {
  const deliver: Job<Delivery, ServiceRuntime> = job<Delivery, ServiceRuntime>('deliver', {
    retries: 10,
    async run(delivery, context) {
      const { db, transaction, clock, log } = context
      for (let turn = 0; turn < turns; turn++) {
        const destination = await store.find(db, delivery)
        if (!destination) return
        const waiting = destination.enabled ? await store.next(db, delivery, batch) : []
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
        // A refusal does not end it: its owner may still mend the destination, and nothing may be left out of the order.
        const failures = delivered > 0 ? 1 : delivery.failures + 1
        const at = new Date(clock.now().getTime() + pauseAfter(outcome, pauseMs(failures)))
        log.warn({ destination: arn, failures, again: at, problem: outcome.message }, 'events could not be delivered')
        return (_, jobs) => jobs.enqueue(deliver, { ...delivery, failures }, { at })
      }
      return (_, jobs) => jobs.enqueue(deliver, { ...delivery, failures: 0 })
    },
    failed: (delivery, db) => store.abandon(db, delivery),
  })
  return deliver
}
