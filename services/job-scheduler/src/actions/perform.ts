import { publish } from '@icosa/brokers'
import { Failure, type GuardedFetch } from '@icosa/kernel'
import type { SchedulerSettings } from '../settings.ts'
import type { Deed } from './action.ts'
import { sendRequest } from './request.ts'
import { messageOf } from './subject.ts'

/** How an attempt ended, in words that its owner reads. */
export interface Outcome {
  readonly done: boolean
  readonly message: string
}

/** By which a receiver tells a repeated attempt at an execution from another execution. */
export interface Occasion {
  readonly tenant: string
  readonly executionId: string
  readonly expectedAt: Date
}

export interface Means {
  readonly fetch: GuardedFetch
  readonly settings: SchedulerSettings
  readonly signal: AbortSignal
}

/** Original clients waited as long for an answer. */
const timeoutMs = 60_000
const brokerTimeoutMs = 10_000

/** Does it once. Throws only where the attempt does not count: the worker has lost the job. */
export async function perform(deed: Deed, occasion: Occasion, { fetch, settings, signal }: Means): Promise<Outcome> {
  try {
    if ('request' in deed) return await sendRequest(deed.request, occasion, { fetch, signal, timeoutMs })
    const message = messageOf(deed, occasion)
    const broker = deed.type === 'ServiceBusTopic' ? settings.topic : settings.queue
    await publish(broker, message, { signal, timeoutMs: brokerTimeoutMs })
    return { done: true, message: `The broker has taken the message on ${message.subject}.` }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure) return { done: false, message: error.message }
    throw error
  }
}
