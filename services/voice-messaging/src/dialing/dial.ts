import { type AnyJob, batcher, type Job, type JobContext, job } from '@icosa/kernel'
import type { Call } from '../calls/call.ts'
import { newShift, type Shift } from '../calls/shift.ts'
import * as store from '../calls/store.ts'
import type { Delivery } from '../events/deliver.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { VoiceSettings } from '../settings.ts'
import { capacityOf, countCall } from './active-calls.ts'
import { attemptCall } from './attempt.ts'
import { lastStep } from './outcome.ts'
import { record, type Step } from './record.ts'

/** Time during which a job accepts calls; then another takes over, so that a node can stop. */
const shiftMs = 15_000

interface Parts {
  readonly deliver: AnyJob<Delivery>
  readonly settings: Pick<VoiceSettings, 'maxCalls' | 'retrySeconds' | 'trunk' | 'simulate'>
}

/** Places due calls. */
export function dialJob(parts: Parts): Job<Shift, ServiceRuntime> {
  const dial: Job<Shift, ServiceRuntime> = job<Shift, ServiceRuntime>('dial', {
    retries: 10,
    async run({ shift }, context) {
      await recover(shift, context, parts, dial)
      const { wake } = context.runtime.activeCalls
      if (wake) wake()
      else await serve(shift, context, parts, dial)
    },
    failed: ({ shift }, db) => store.release(db, shift),
  })
  return dial
}

/** Runs calls as they become due, and resolves when the last has ended. */
async function serve(
  shift: string,
  context: JobContext<ServiceRuntime>,
  parts: Parts,
  dial: AnyJob<Shift>,
): Promise<void> {
  const { settings } = parts
  const { clock, transaction, runtime } = context
  const { line, synthesize, activeCalls } = runtime
  const failure = new AbortController()
  const signal = AbortSignal.any([context.signal, failure.signal])
  const report = batcher((steps: readonly Step[]) =>
    transaction((db, jobs) => record(db, jobs, { ...parts, dial }, steps, clock.now())).catch((error) => {
      failure.abort(error) // steps cannot be recorded: all calls are ended and retried
      throw error
    }),
  )
  const dependencies = { line, synthesize, retrySeconds: settings.retrySeconds, context, signal, report }
  const running = new Set<Promise<void>>()
  const endsAt = performance.now() + shiftMs
  let isWoken = true
  let wake = () => {}
  const shiftTimer = setTimeout(() => wake(), shiftMs)
  activeCalls.wake = () => {
    isWoken = true
    wake()
  }

  function start(call: Call): void {
    const { tenant } = call
    countCall(activeCalls, tenant, 1)
    activeCalls.last = tenant
    const attempt = attemptCall(call, dependencies)
      .catch((error) => failure.abort(error))
      .finally(() => {
        countCall(activeCalls, tenant, -1)
        running.delete(attempt)
        activeCalls.wake?.() // there is capacity for another
      })
    running.add(attempt)
  }

  try {
    while (isWoken && performance.now() < endsAt && !signal.aborted) {
      isWoken = false
      const capacity = capacityOf(activeCalls, settings.maxCalls)
      const calls = capacity.free > 0 ? await transaction((db) => store.take(db, shift, clock.now(), capacity)) : []
      calls.forEach(start)
      if (isWoken || running.size === 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (performance.now() >= endsAt) await transaction((_, jobs) => jobs.enqueue(dial, newShift()))
  } catch (error) {
    failure.abort(error)
  } finally {
    clearTimeout(shiftTimer)
    activeCalls.wake = undefined
  }
  await Promise.all(running)
  signal.throwIfAborted()
}

/** Fails the calls that were active when the worker of this job died. */
async function recover(shift: string, context: JobContext, parts: Parts, dial: AnyJob<Shift>): Promise<void> {
  if (!(await store.hasCalls(context.db, shift))) return // the usual case
  await context.transaction(async (db, jobs) => {
    const calls = await store.interrupted(db, shift)
    if (calls.length === 0) return
    const now = context.clock.now()
    const steps = calls.map((call) =>
      lastStep(call, { attempt: call.attempts, number: call.events + 1 }, nodeLost, now, parts.settings),
    )
    await record(db, jobs, { ...parts, dial }, steps, now)
  })
}

const nodeLost = { kind: 'failed', reason: 'The node that placed the call was lost.', final: false } as const
