import { type Job, job, pauseMs } from '@icosa/kernel'
import { placeOf } from '../event-destinations/place.ts'
import type { Charge } from '../event-destinations/store.ts'
import type { VoiceSettings } from '../settings.ts'
import * as store from './delivery-store.ts'
import { sendTo } from './send.ts'

/** A destination, the job in charge of it, and how often in a row it could not be told anything. */
export interface Delivery extends Charge {
  readonly failures: number
}

const batch = 100
/** Then another job goes on: a worker that wants to stop does not wait for a destination that is never done. */
const turns = 20

/** Tells one destination what it is to be told, in order. Others have jobs of their own, and do not wait for it. */
export function deliverJob(settings: VoiceSettings): Job<Delivery> {
  const deliver: Job<Delivery> = job<Delivery>('deliver', {
    retries: 10,
    async run(delivery, { db, transaction, fetch, clock, log, signal }) {
      for (let turn = 0; turn < turns; turn++) {
        const place = await store.find(db, delivery)
        if (!place) return
        const waiting = place.enabled ? await store.next(db, delivery, batch) : []
        if (waiting.length === 0) {
          if (await transaction((tx) => store.rest(tx, delivery))) return
          continue
        }
        const source = { tenant: delivery.tenant, arn: place.arn, now: clock.now() }
        const { told, problem } = await sendTo(() => placeOf(delivery.tenant, place, settings), waiting, source, {
          fetch,
          signal,
        })
        const numbers = waiting.slice(0, told).map(({ number }) => number)
        if (told > 0) await transaction((tx) => store.told(tx, delivery, numbers))
        if (problem === undefined) continue
        signal.throwIfAborted() // the worker has lost the job: another one tries, not this one
        const failures = told > 0 ? 1 : delivery.failures + 1
        const at = new Date(clock.now().getTime() + pauseMs(failures - 1))
        log.warn({ destination: place.arn, failures, again: at, problem }, 'events could not be delivered')
        return (_, jobs) => jobs.enqueue(deliver, { ...delivery, failures }, { at })
      }
      return (_, jobs) => jobs.enqueue(deliver, { ...delivery, failures: 0 })
    },
    failed: (delivery, db) => store.abandon(db, delivery),
  })
  return deliver
}
