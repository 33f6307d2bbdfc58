import { randomUUID } from 'node:crypto'
import { type Clock, type Db, Failure, type JobsOf } from '@icosa/kernel'
import { type Event, messageIdOf } from './event.ts'
import { fanOut } from './fan-out.ts'
import { isMatch } from './filter.ts'
import { deliver, inputsOf } from './jobs.ts'
import * as messages from './messages-store.ts'
import * as store from './store.ts'

/** Copies created within the publisher's transaction; beyond that, see `fanOut`. */
const maxCopies = 1_000
const maxCopiedBytes = 2 ** 20
/** Stored undelivered messages of one tenant. */
export const maxStoredBytes = 2 ** 30

/** Creates deliveries for every subscribed function, within a transaction. */
export async function emit(
  { db, jobs, clock }: { readonly db: Db; readonly jobs: JobsOf; readonly clock: Clock },
  tenant: string,
  events: readonly Event[],
): Promise<void> {
  for (const [type, group] of Map.groupBy(events, ({ attributes }) => attributes.type)) {
    const triggers = await store.triggersFor(db, tenant, type)
    const recipients = triggers.map(({ trigger, ...place }) => ({
      place,
      events: group.filter((event) => isMatch(event, trigger)),
    }))
    const matches = recipients.flatMap((recipient) => recipient.events)
    if (matches.length === 0) continue
    if (matches.length <= maxCopies && matches.reduce((sum, { data }) => sum + data.length, 0) <= maxCopiedBytes) {
      const copies = recipients.flatMap((recipient) =>
        recipient.events.map((event) => ({ ...recipient.place, id: randomUUID(), event })),
      )
      await jobs.enqueueAll(deliver, inputsOf(tenant, await store.insert(db, tenant, copies, clock.now())))
      continue
    }
    const stored = [...new Set(matches)]
    const ids = stored.map(messageIdOf)
    await messages.insert(db, tenant, stored, clock.now())
    if ((await messages.storedBytes(db, tenant)) > maxStoredBytes) throw queueFull()
    if (stored.every(({ orderingKey }) => orderingKey === undefined)) {
      await jobs.enqueue(fanOut, { tenant, type, messages: ids })
      continue
    }
    // A job could be overtaken by that of a later event.
    const deliveries = recipients.flatMap((recipient) =>
      recipient.events.map((event) => ({ ...recipient.place, id: messageIdOf(event), orderingKey: event.orderingKey })),
    )
    const due = await messages.addDeliveries(db, tenant, deliveries, clock.now())
    await jobs.enqueueAll(deliver, inputsOf(tenant, due))
    await messages.release(db, tenant, ids)
  }
}

const queueFull = () =>
  new Failure(
    'limitReached',
    `More than ${maxStoredBytes / 2 ** 20} MiB of messages wait for your functions: retry after some have been delivered.`,
  )
