import { randomUUID } from 'node:crypto'
import { type Clock, type Db, Failure, type JobsOf } from '@icosa/kernel'
import type { Event } from './event.ts'
import { fanOut } from './fan-out.ts'
import { isWanted } from './filter.ts'
import { deliver } from './jobs.ts'
import * as messages from './messages-store.ts'
import * as store from './store.ts'

/** Up to so much is copied into deliveries within the publisher's transaction; beyond that, see `fanOut`. */
const maxCopies = 1_000
const maxCopiedBytes = 2 ** 20
/** Of one tenant's messages that are stored until their functions have taken them. */
export const maxStoredBytes = 2 ** 30

/** Within a transaction. Every function that waits for such events gets each of them, if and only if it commits. */
export async function emit(
  { db, jobs, clock }: { readonly db: Db; readonly jobs: JobsOf; readonly clock: Clock },
  tenant: string,
  events: readonly Event[],
): Promise<void> {
  for (const [type, ofType] of Map.groupBy(events, ({ attributes }) => attributes.type)) {
    const triggers = await store.triggersFor(db, tenant, type)
    const recipients = triggers.map(({ trigger, ...place }) => ({
      place,
      wanted: ofType.filter((event) => isWanted(event, trigger)),
    }))
    const wanted = recipients.flatMap((recipient) => recipient.wanted)
    if (wanted.length === 0) continue
    if (wanted.length <= maxCopies && wanted.reduce((sum, { data }) => sum + data.length, 0) <= maxCopiedBytes) {
      const copies = recipients.flatMap((recipient) =>
        recipient.wanted.map((event) => ({ ...recipient.place, id: randomUUID(), event })),
      )
      await store.insert(db, tenant, copies, clock.now())
      await jobs.enqueueAll(
        deliver,
        copies.map(({ event: _, ...key }) => ({ input: { tenant, ...key } })),
      )
    } else {
      const stored = [...new Set(wanted)]
      await messages.insert(db, tenant, stored, clock.now())
      if ((await messages.storedBytes(db, tenant)) > maxStoredBytes) throw tooMuch()
      await jobs.enqueue(fanOut, { tenant, type, messages: stored.map(({ attributes }) => attributes.id) })
    }
  }
}

const tooMuch = () =>
  new Failure(
    'limitReached',
    `More than ${maxStoredBytes / 2 ** 20} MiB of messages wait for your functions: publish again once they were taken.`,
  )
