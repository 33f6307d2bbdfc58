import { type Job, job, type ReceivedEvent, receiveEventsJob, takeEvents } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { emit } from './emit.ts'
import type { Event } from './event.ts'

const batchSize = 200

const toEvent = ({ key, attributes, data }: ReceivedEvent): Event => ({
  attributes,
  orderingKey: key,
  data: JSON.stringify(data),
})

/** Receives events of the platform and other services, and delivers them to the subscribed functions. */
export const receiveEvents: Job<object, ServiceRuntime> = job<object, ServiceRuntime>(receiveEventsJob, {
  retries: 12,
  async run(_, { tenant, clock }) {
    return async (db, jobs) => {
      const events = await takeEvents(db, { service: serviceName, tenant, limit: batchSize })
      await emit({ db, jobs, clock }, tenant, events.map(toEvent))
      if (events.length === batchSize) await jobs.enqueue(receiveEvents, {})
    }
  },
})
