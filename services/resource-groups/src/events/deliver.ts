import { exponentialBackoff, nextAttemptAt, type RetryPlan, type Sending } from '@icosa/delivery'
import { type Job, job } from '@icosa/kernel'
import type { ResourceGroupsSettings } from '../settings.ts'
import type { GroupEvent } from './event.ts'

export interface Outgoing {
  readonly event: GroupEvent
  readonly failures: number
}

const timeoutMs = 10_000

/** About an hour. */
const retryPlan: RetryPlan = { attempts: 13, pauseMs: exponentialBackoff(1_000, 2) }

/** Delivers events at least once and in no certain order. */
export function deliverJob({ eventsUrl }: ResourceGroupsSettings): Job<Outgoing, Sending> {
  const deliver: Job<Outgoing, Sending> = job<Outgoing, Sending>('deliverEvent', {
    retries: 10,
    async run({ event, failures }, { runtime, signal, clock, log }) {
      if (eventsUrl === undefined) {
        // At level info even if the log is quieter, as in development mode: the tenant turned events on.
        log.child({}, { level: 'info' }).info({ event }, 'group event')
        return undefined
      }
      const message = { id: event.id, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(event) }
      const outcome = await runtime.send({ url: eventsUrl }, message, { signal, timeoutMs })
      if (outcome.result === 'delivered') return undefined
      const at = nextAttemptAt(outcome, failures + 1, retryPlan, clock.now())
      log.warn(
        { event: event.id, failures: failures + 1, again: at, problem: outcome.message },
        'an event was not delivered',
      )
      return at && ((_, jobs) => jobs.enqueue(deliver, { event, failures: failures + 1 }, { at }))
    },
  })
  return deliver
}
