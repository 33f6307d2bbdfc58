import { randomUUID } from 'node:crypto'
import type { Clock, Db, JobsOf } from '@icosa/kernel'
import type { Event } from './event.ts'
import { isWanted } from './filter.ts'
import { deliver } from './jobs.ts'
import * as store from './store.ts'

/** Within a transaction. Every function that waits for such events gets each of them, if and only if it commits. */
export async function emit(
  { db, jobs, clock }: { readonly db: Db; readonly jobs: JobsOf; readonly clock: Clock },
  tenant: string,
  events: readonly (Event & { readonly topic?: string })[],
): Promise<void> {
  const types = new Set(events.map(({ attributes }) => attributes.type))
  for (const type of types) {
    const triggers = await store.triggersFor(db, tenant, type)
    const made = triggers.flatMap(({ trigger, ...place }) =>
      events
        .filter(({ attributes, topic }) => attributes.type === type && trigger.pubsubTopic === topic)
        .filter(({ attributes }) => isWanted(attributes, trigger.eventFilters))
        .map(({ attributes, data }) => ({ ...place, id: randomUUID(), attributes, data })),
    )
    if (made.length === 0) continue
    await store.insert(db, tenant, made, clock.now())
    const inputs = made.map(({ project, location, function: name, id }) => ({
      input: { tenant, project, location, function: name, id },
    }))
    await jobs.enqueueAll(deliver, inputs)
  }
}
