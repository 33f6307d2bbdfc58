import { exponentialBackoff, nextAttemptAt, type RetryPlan } from '@icosa/delivery'
import { job } from '@icosa/kernel'
import { inOriginal } from '../dialect/respell.ts'
import { signatureOf } from '../dialect/signature.ts'
import { headerNames } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { objectOf } from './objects.ts'
import { findEvent } from './store.ts'

export interface Callback {
  readonly url: string
  readonly category: string
  readonly isOriginal: boolean
  readonly user: string
  readonly event: string
  readonly failures: number
}

/** Five retries, a minute apart. */
const plan: RetryPlan = { attempts: 6, pauseMs: exponentialBackoff(60_000, 1) }
const timeoutMs = 15_000

/** Sends an event to a subscriber, signed like our responses. */
export const deliverCallback = job<Callback, ServiceRuntime>('deliverCallback', {
  async run({ failures, ...call }, { db, tenant, runtime, clock, tenantVault, signal }) {
    const event = await findEvent(db, tenant, call.user, call.event)
    const object =
      event && (await objectOf({ db, tenant, now: clock.now(), tenantVault, publicUrl: runtime.publicUrl }, event))
    if (!event || !object) return undefined
    const notification = {
      target_url: call.url,
      category: call.category,
      event_type: `${call.category}_${event.action}D`,
      object: { [event.kind]: object },
    }
    const neutral = { NotificationUrl: notification }
    const payload = JSON.stringify(call.isOriginal ? inOriginal(neutral) : neutral)
    const signature = signatureOf(payload, runtime.serverKey.privateKey)
    const headers = {
      'content-type': 'application/json',
      [headerNames.serverSignature[0]]: signature,
      [headerNames.serverSignature[1]]: signature,
    }
    const message = { id: `${call.event} ${call.url}`, headers, payload }
    const outcome = await runtime.send({ url: call.url }, message, { signal, timeoutMs })
    const failed = failures + 1
    const at = nextAttemptAt(outcome, failed, plan, clock.now())
    if (at === undefined) return undefined
    return async (_, jobs) => {
      await jobs.enqueue(deliverCallback, { ...call, failures: failed }, { at })
    }
  },
})
