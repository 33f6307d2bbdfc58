import { type Db, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { placeOf } from '../functions/store.ts'
import { callerOf } from '../identities/access.ts'
import { newInvocationId } from '../invocations/id.ts'
import { toRevision } from '../invocations/revision.ts'
import { findByPlace, type TargetRow } from '../invocations/store.ts'
import { invokePermission, invokersOf, mayInvoke } from '../policies/access.ts'
import { invokerRoles } from '../policies/names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { toRequest } from './event.ts'
import * as messages from './messages-store.ts'
import * as ordered from './ordered-store.ts'
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
      await ordered.lock(db, tenant, [row])
      if (outcome.is !== 'refused') {
        await store.remove(db, tenant, delivery)
        return enqueueNext(db, jobs, tenant, row)
      }
      const now = context.clock.now()
      const isLate = now.getTime() - row.createdAt.getTime() > maxAgeMs
      const { reason, retry } = outcome
      if (!retry || isLate) {
        await store.recordFailure(db, tenant, delivery, { reason, failedAt: now })
        return enqueueNext(db, jobs, tenant, row)
      }
      await store.recordFailure(db, tenant, delivery, { reason })
      const pauseMs = Math.min(firstPauseMs * 2 ** row.attempts, maxPauseMs)
      await jobs.enqueue(deliver, delivery, { at: new Date(now.getTime() + pauseMs) })
    }
  },
  async failed(delivery, db, error, { jobs }) {
    const { tenant } = delivery
    const reason = `It could not be delivered: ${error.message}`
    const row = await store.find(db, tenant, delivery)
    if (!row) return
    await ordered.lock(db, tenant, [row])
    await store.recordFailure(db, tenant, delivery, { reason, failedAt: await store.now(db) })
    await enqueueNext(db, jobs, tenant, row)
  },
})

/** After a delivery with a key has ended, the next one with that key may start. */
async function enqueueNext(db: Db, jobs: JobsOf, tenant: string, row: store.DeliveryRow): Promise<void> {
  const next = row.orderingKey === null ? undefined : await ordered.first(db, tenant, row, row.orderingKey)
  if (next) await jobs.enqueueAll(deliver, inputsOf(tenant, [{ ...placeOf(row), ...next }]))
}

export const inputsOf = (tenant: string, deliveries: readonly store.DeliveryKey[]) =>
  deliveries.map(({ id, ...place }) => ({ input: { tenant, ...placeOf(place), id } }))

async function attempt(row: store.DeliveryRow, context: JobContext<ServiceRuntime>): Promise<Outcome> {
  const { tenant, db, cellVault, runtime } = context
  const target = await findByPlace(db, tenant, row)
  if (!target || target.state === 'DELETING') return { is: 'deleted' }
  if (!target.revision) return { is: 'refused', reason: 'No revision of the function is ready yet.', retry: true }
  const isRetried = target.revision.desired.eventTrigger?.retryPolicy === 'RETRY_POLICY_RETRY'
  const refusal = await accountRefusal(context, target)
  if (refusal !== undefined) return { is: 'refused', reason: refusal, retry: isRetried }
  const revision = await toRevision({ db, cellVault, keys: runtime.keys }, tenant, target.revision)
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
  const text = body.trim().slice(0, 500)
  const reason = `It answered ${status}${text ? `: ${text}` : '.'} (invocation ${id})`
  return { is: 'refused', reason, retry: isRetried || overloadStatuses.has(status) }
}

/** Why the service account of the trigger may not call the function. */
async function accountRefusal(
  { db, tenant, clock }: JobContext<ServiceRuntime>,
  { revision, policy, name }: TargetRow,
): Promise<string | undefined> {
  const email = revision?.desired.eventTrigger?.serviceAccountEmail
  if (email === undefined) return undefined
  const caller = await callerOf(db, tenant, email)
  if (!caller) return `The service account ${email} of the trigger was deleted.`
  return mayInvoke(invokersOf(policy.bindings, { now: clock.now(), resource: name }), tenant, caller)
    ? undefined
    : `The service account ${email} of the trigger lacks ${invokePermission}: bind ${invokerRoles[0]} to serviceAccount:${email}.`
}
