import { type Job, type JobContext, job } from '@icosa/kernel'
import { newInvocationId } from '../invocations/id.ts'
import { toRevision } from '../invocations/revision.ts'
import { findByPlace } from '../invocations/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { toRequest } from './event.ts'
import * as messages from './messages-store.ts'
import * as store from './store.ts'

export interface Delivery extends store.DeliveryKey {
  readonly tenant: string
}

const firstPauseMs = 10_000
const maxPauseMs = 600_000
/** Deliveries are abandoned after this time, whatever their policy. */
const maxAgeMs = 24 * 3_600_000
/** Overload: the function did not receive the event. */
const overloadStatuses: ReadonlySet<number> = new Set([429, 503])

type Outcome =
  | { readonly is: 'acknowledged' | 'deleted' }
  | { readonly is: 'refused'; readonly reason: string; readonly retry: boolean }

/** Delivers one event to its function. Under a retry policy it is retried with exponential backoff, for a day. */
export const deliver: Job<Delivery, ServiceRuntime> = job<Delivery, ServiceRuntime>('deliver', {
  retries: 12, // of internal errors
  async run(delivery, context) {
    const { tenant } = delivery
    const row = await store.find(context.db, tenant, delivery)
    if (!row || row.failedAt) return undefined
    const outcome = await attempt(row, context)
    return async (db, jobs) => {
      if (outcome.is !== 'refused') return store.remove(db, tenant, delivery)
      const now = context.clock.now()
      const isLate = now.getTime() - row.createdAt.getTime() > maxAgeMs
      const { reason, retry } = outcome
      if (!retry || isLate) return store.recordFailure(db, tenant, delivery, { reason, failedAt: now })
      await store.recordFailure(db, tenant, delivery, { reason })
      const pauseMs = Math.min(firstPauseMs * 2 ** row.attempts, maxPauseMs)
      await jobs.enqueue(deliver, delivery, { at: new Date(now.getTime() + pauseMs) })
    }
  },
  async failed(delivery, db, error) {
    const reason = `It could not be delivered: ${error.message}`
    await store.recordFailure(db, delivery.tenant, delivery, { reason, failedAt: await store.now(db) })
  },
})

async function attempt(row: store.DeliveryRow, context: JobContext<ServiceRuntime>): Promise<Outcome> {
  const { tenant, db, vault, runtime } = context
  const target = await findByPlace(db, tenant, row)
  if (!target || target.state === 'DELETING') return { is: 'deleted' }
  if (!target.revision) return { is: 'refused', reason: 'No revision of the function is ready yet.', retry: true }
  const revision = await toRevision({ db, vault }, tenant, target.revision)
  const id = newInvocationId()
  const instances = await runtime.instances()
  let began = 0
  const call = (data: string) => {
    began = performance.now() // excludes the time in the queue
    const event = toRequest({ attributes: row.attributes, data })
    return runtime.traces.sending('invokeFunction', { 'faas.invocation_id': id }, (trace) =>
      instances.call(revision, { ...event, headers: { ...event.headers, ...trace } }, id),
    )
  }
  const { status, body } = await (row.data === null
    ? runtime.storedMessages.run(tenant, async () => call(await messages.data(db, tenant, row.id)))
    : call(row.data))
  const durationMs = performance.now() - began
  runtime.logs.addInvocation({ revision, id, status, durationMs, method: 'EVENT', path: row.attributes.type })
  if (status >= 200 && status < 300) return { is: 'acknowledged' }
  const isRetried = target.revision.desired.eventTrigger?.retryPolicy === 'RETRY_POLICY_RETRY'
  const text = body.trim().slice(0, 500)
  const reason = `It answered ${status}${text ? `: ${text}` : '.'} (invocation ${id})`
  return { is: 'refused', reason, retry: isRetried || overloadStatuses.has(status) }
}
