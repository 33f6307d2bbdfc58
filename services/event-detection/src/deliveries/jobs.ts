import { attempted, exponentialBackoff, nextAttemptAt, noWorker, type Outcome, type RetryPlan } from '@icosa/delivery'
import { type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { entryOf } from '../journal/entries.ts'
import { write } from '../journal/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { EventDetectionSettings } from '../settings.ts'
import type { Delivery } from './delivery.ts'
import { sendTo } from './send.ts'
import { destinationOf } from './target.ts'

/** Deliveries as a JSON string: payloads may contain U+0000, which jsonb does not allow. */
export interface Outgoing {
  readonly deliveries: string
}

/** Deliveries per job, sent in parallel. */
const batchSize = 25
/** Spans an hour and a half. */
const retryPlan: RetryPlan = { attempts: 8, pauseMs: exponentialBackoff(1_000, 4) }

export interface Deliveries {
  readonly job: Job<Outgoing, ServiceRuntime>
  /** Enqueues deliveries within the transaction. */
  enqueue(jobs: JobsOf, deliveries: readonly Delivery[], at?: Date): Promise<void>
}

export function deliveriesTo(settings: EventDetectionSettings): Deliveries {
  async function enqueue(jobs: JobsOf, deliveries: readonly Delivery[], at?: Date): Promise<void> {
    for (let start = 0; start < deliveries.length; start += batchSize) {
      const batch = JSON.stringify(deliveries.slice(start, start + batchSize))
      await jobs.enqueue(deliver, { deliveries: batch }, at ? { at } : {})
    }
  }

  async function attempt(delivery: Delivery, context: JobContext<ServiceRuntime>): Promise<Attempt> {
    const outcome = await attempted(context, () => sendTo(destinationOf(delivery, settings), delivery, context))
    return { delivery: { ...delivery, failures: delivery.failures + 1 }, outcome }
  }

  const deliver: Job<Outgoing, ServiceRuntime> = job<Outgoing, ServiceRuntime>('deliver', {
    retries: retryPlan.attempts,
    async run({ deliveries }, context) {
      const batch = JSON.parse(deliveries) as Delivery[]
      const attempts = await Promise.all(batch.map((delivery) => attempt(delivery, context)))
      const failed = attempts.filter(({ outcome }) => outcome.result !== 'delivered')
      return async (db, jobs) => {
        const now = context.clock.now()
        const nextAt = ({ outcome, delivery }: Attempt) => nextAttemptAt(outcome, delivery.failures, retryPlan, now)
        for (const [at, group] of Map.groupBy(failed, (failure) => nextAt(failure)?.getTime())) {
          const deliveries = group.map(({ delivery }) => delivery)
          if (at === undefined) await write(db, group.map(failureEntry))
          else await enqueue(jobs, deliveries, new Date(at))
        }
      }
    },
    async failed({ deliveries }, db) {
      const lost = JSON.parse(deliveries) as Delivery[]
      await write(
        db,
        lost.map((delivery) => failureEntry({ delivery, outcome: noWorker })),
      )
    },
  })
  return { job: deliver, enqueue }
}

/** Outcome of an attempt, with the delivery for the next one. */
interface Attempt {
  readonly delivery: Delivery
  readonly outcome: Outcome
}

function failureEntry({ delivery, outcome }: Attempt) {
  const { of, id, at, action, eventName, target, failures } = delivery
  return entryOf(of, 'failure', at, {
    action,
    eventName,
    target,
    reason: outcome.message,
    attempts: failures,
    deliveryId: id,
  })
}
