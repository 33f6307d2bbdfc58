import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../fleet/fleet.ts'
import type { Instance } from '../instance.ts'
import type { Abort } from './abort.ts'
import type { ForwardResult } from './forward.ts'
import { Refusal } from './refusal.ts'

/** How long to wait for an instance that is about to exit, so that the refusal can say why. */
const exitMs = 3_000
/** A request that did not reach its instance is retried with another one. */
const maxAttempts = 3

/**
 * Sends a request to an instance of the fleet. Returns the refusal to respond with, or undefined if the function answered or
 * the caller has disconnected.
 */
export function invoke(
  fleet: Fleet,
  id: string,
  abort: Abort,
  send: (instance: Instance) => Promise<ForwardResult>,
): Promise<Refusal | undefined> {
  return fleet.during(() => withRetries(fleet, id, abort, send))
}

async function withRetries(
  fleet: Fleet,
  id: string,
  abort: Abort,
  send: (instance: Instance) => Promise<ForwardResult>,
): Promise<Refusal | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    for (let attempt = 1; ; attempt++) {
      const acquired = fleet.acquire(abort)
      const instance = acquired instanceof Promise ? await acquired : acquired
      // Time in the queue and for a cold start does not count.
      timer ??= setTimeout(() => abort.abort('timeout'), fleet.revision.timeoutMs)
      const result = await send(instance)
      const isSuspicious = result.kind === 'disconnected' || result.kind === 'truncated'
      if (result.kind === 'aborted' && abort.reason === 'timeout') fleet.onTimeout(instance)
      if (isSuspicious || (result.kind === 'answered' && result.isCrash)) fleet.checkLiveness(instance)
      fleet.release(instance)
      if (result.kind === 'unsent' && attempt < maxAttempts && abort.reason === undefined) continue
      return await refusalOf(fleet, id, abort, instance, result)
    }
  } catch (error) {
    if (abort.reason === 'timeout') return timeoutRefusal(fleet, id)
    if (abort.reason === 'caller') return undefined
    if (error instanceof Refusal) return error
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function refusalOf(
  fleet: Fleet,
  id: string,
  { reason }: Abort,
  instance: Instance,
  result: ForwardResult,
): Promise<Refusal | undefined> {
  if (result.kind === 'answered' || result.kind === 'truncated') return undefined
  if (result.kind === 'aborted') return reason === 'timeout' ? timeoutRefusal(fleet, id) : undefined
  if (result.kind === 'failed') return fleet.logRefusal(id, new Refusal(result.status, result.message))
  const exitReason = await Promise.race([instance.ended, delay(exitMs, undefined, { ref: false })])
  const message =
    exitReason === undefined
      ? 'The function closed the connection without a response.'
      : `The function exited before it responded. ${exitReason}`
  return fleet.logRefusal(id, new Refusal(502, message))
}

const timeoutRefusal = (fleet: Fleet, id: string) =>
  fleet.logRefusal(
    id,
    new Refusal(504, `The function did not respond within its ${fleet.revision.timeoutMs / 1_000} s.`),
  )
