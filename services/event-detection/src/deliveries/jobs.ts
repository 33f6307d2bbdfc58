import { Failure, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { entryOf } from '../journal/entries.ts'
import { write } from '../journal/store.ts'
import type { EventDetectionSettings } from '../settings.ts'
import type { Delivery } from './delivery.ts'
import { send } from './send.ts'
import { destinationOf } from './target.ts'

/** Deliveries that wait, as JSON: the queue's own kind of JSON has no U+0000, and payloads may. */
export interface Outgoing {
  readonly deliveries: string
}

/** How many one job makes side by side. */
const together = 25
/** So often a delivery is tried, over an hour and a half. */
const attempts = 8
const pauseMs = (failures: number) => 1_000 * 4 ** (failures - 1)

export interface Deliveries {
  readonly job: Job<Outgoing>
  /** Has deliveries made, if the transaction commits: the queue is where they wait. */
  enqueue(jobs: JobsOf, deliveries: readonly Delivery[], at?: Date): Promise<void>
}

export function deliveriesTo(settings: EventDetectionSettings): Deliveries {
  async function enqueue(jobs: JobsOf, deliveries: readonly Delivery[], at?: Date): Promise<void> {
    for (let start = 0; start < deliveries.length; start += together) {
      const some = JSON.stringify(deliveries.slice(start, start + together))
      await jobs.enqueue(deliver, { deliveries: some }, at ? { at } : {})
    }
  }

  const deliver: Job<Outgoing> = job<Outgoing>('deliver', {
    retries: attempts,
    async run({ deliveries }, context) {
      const all = JSON.parse(deliveries) as Delivery[]
      const failed = (await Promise.all(all.map((one) => attempt(one, settings, context)))).flatMap((one) => one ?? [])
      const [given, again] = [failed.filter(isOver), failed.filter((one) => !isOver(one))]
      return async (db, jobs) => {
        await write(db, given.map(failureEntry))
        const now = context.clock.now().getTime()
        for (const [failures, same] of Map.groupBy(again, ({ delivery }) => delivery.failures)) {
          const next = same.map(({ delivery }) => delivery)
          await enqueue(jobs, next, new Date(now + pauseMs(failures)))
        }
      }
    },
    async failed({ deliveries }, db) {
      const lost = (JSON.parse(deliveries) as Delivery[]).map((delivery) => ({
        delivery,
        reason: 'No worker could carry it out.',
        isFinal: true,
      }))
      await write(db, lost.map(failureEntry))
    },
  })
  return { job: deliver, enqueue }
}

interface Failed {
  readonly delivery: Delivery
  readonly reason: string
  /** Another attempt would not help. */
  readonly isFinal: boolean
}

const isOver = ({ delivery, isFinal }: Failed) => isFinal || delivery.failures >= attempts

async function attempt(
  delivery: Delivery,
  settings: EventDetectionSettings,
  { fetch, signal, log }: JobContext,
): Promise<Failed | undefined> {
  try {
    await send(delivery, destinationOf(delivery, settings), { fetch, signal })
    return undefined
  } catch (error) {
    signal.throwIfAborted() // the worker has lost the job: nothing that it does counts
    const isOurs = !(error instanceof Failure)
    if (isOurs) log.error({ err: error, delivery: delivery.id }, 'a delivery went wrong on our side')
    return {
      delivery: { ...delivery, failures: delivery.failures + 1 },
      reason: isOurs ? 'Something went wrong on our side.' : error.message,
      isFinal: !isOurs && error.kind === 'invalid',
    }
  }
}

function failureEntry({ delivery, reason }: Failed) {
  const { of, id, at, action, eventName, target, failures } = delivery
  return entryOf(of, 'failure', at, {
    action,
    eventName,
    target,
    reason,
    attempts: failures,
    deliveryId: id,
  })
}
