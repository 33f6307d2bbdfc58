import { type Job, job } from '@icosa/kernel'
import { type Place, placeOf } from '../functions/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { isMatch } from './filter.ts'
import { deliver, inputsOf } from './jobs.ts'
import * as messages from './messages-store.ts'
import * as store from './store.ts'

export interface FanOut {
  readonly tenant: string
  readonly type: string
  /** Ids of stored messages, all of this type. */
  readonly messages: readonly string[]
  /** Last function of the previous run. */
  readonly after?: Place
}

/** Deliveries per transaction, unless there are more messages for a single function. */
const batchSize = 100

/** Creates the deliveries of stored messages, a batch of functions per run. */
export const fanOut: Job<FanOut, ServiceRuntime> = job<FanOut, ServiceRuntime>('fan-out', {
  retries: 12,
  async run(input, { db: reading, clock }) {
    const { tenant, type, messages: ids, after } = input
    const limit = Math.ceil(batchSize / ids.length)
    const triggers = await store.triggersFor(reading, tenant, type, { after, limit })
    const envelopes = await messages.envelopes(reading, tenant, ids)
    const deliveries = triggers.flatMap(({ trigger, ...place }) =>
      envelopes.filter((envelope) => isMatch(envelope, trigger)).map(({ id }) => ({ ...place, id })),
    )
    const last = triggers.length === limit ? triggers.at(-1) : undefined
    return async (db, jobs) => {
      await messages.addDeliveries(db, tenant, deliveries, clock.now())
      await jobs.enqueueAll(deliver, inputsOf(tenant, deliveries))
      if (last) await jobs.enqueue(fanOut, { ...input, after: placeOf(last) })
      else await messages.release(db, tenant, ids)
    }
  },
  failed: ({ tenant, messages: ids }, db) => messages.release(db, tenant, ids),
})
