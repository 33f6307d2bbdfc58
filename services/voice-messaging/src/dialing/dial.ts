import { type AnyJob, batcher, type Job, type JobContext, job } from '@icosa/kernel'
import type { Call } from '../calls/call.ts'
import { newShift, type Shift } from '../calls/shift.ts'
import * as store from '../calls/store.ts'
import type { Delivery } from '../events/deliver.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { VoiceSettings } from '../settings.ts'
import { countCall, freeRoom } from './active-calls.ts'
import { attemptCall } from './attempt.ts'
import { lastStep } from './outcome.ts'
import { record, type Step } from './record.ts'

/** So long a job takes calls; then another goes on, so that a node that wants to stop is not kept from it. */
const shiftMs = 15_000

interface Parts {
  readonly deliver: AnyJob<Delivery>
  readonly settings: Pick<VoiceSettings, 'callsAtOnce' | 'retrySeconds' | 'trunk' | 'simulate'>
}

/** Places the calls that are due. */
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

/** Takes calls as they come, and answers when the last of them is over. */
async function serve(
  shift: string,
  context: JobContext<ServiceRuntime>,
  parts: Parts,
  dial: AnyJob<Shift>,
): Promise<void> {
  const { settings } = parts
  const { clock, transaction, runtime } = context
  const { line, synthesize, activeCalls } = runtime
  const broken = new AbortController()
  const signal = AbortSignal.any([context.signal, broken.signal])
  const report = batcher((steps: readonly Step[]) =>
    transaction((db, jobs) => record(db, jobs, { ...parts, dial }, steps, clock.now())).catch((error) => {
      broken.abort(error) // what cannot be written cannot go on: all calls are begun anew
      throw error
    }),
  )
  const dependencies = { line, synthesize, retrySeconds: settings.retrySeconds, context, signal, report }
  const running = new Set<Promise<void>>()
  const endsAt = performance.now() + shiftMs
  let isWoken = true
  let wake = () => {}
  const duty = setTimeout(() => wake(), shiftMs)
  activeCalls.wake = () => {
    isWoken = true
    wake()
  }

  function start(call: Call): void {
    const { tenant } = call
    countCall(activeCalls, tenant, 1)
    activeCalls.last = tenant
    const placed = attemptCall(call, dependencies)
      .catch((error) => broken.abort(error))
      .finally(() => {
        countCall(activeCalls, tenant, -1)
        running.delete(placed)
        activeCalls.wake?.() // there is room for another
      })
    running.add(placed)
  }

  try {
    while (isWoken && performance.now() < endsAt && !signal.aborted) {
      isWoken = false
      const room = freeRoom(activeCalls, settings.callsAtOnce)
      const taken = room.free > 0 ? await transaction((db) => store.take(db, shift, clock.now(), room)) : []
      taken.forEach(start)
      if (isWoken || running.size === 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (performance.now() >= endsAt) await transaction((_, jobs) => jobs.enqueue(dial, newShift()))
  } catch (error) {
    broken.abort(error)
  } finally {
    clearTimeout(duty)
    activeCalls.wake = undefined
  }
  await Promise.all(running)
  signal.throwIfAborted()
}

/** Calls that were under way when the worker of this job died have failed: nobody knows how they went on. */
async function recover(shift: string, context: JobContext, parts: Parts, dial: AnyJob<Shift>): Promise<void> {
  if (!(await store.hasCalls(context.db, shift))) return // as nearly always
  await context.transaction(async (db, jobs) => {
    const lost = await store.interrupted(db, shift)
    if (lost.length === 0) return
    const now = context.clock.now()
    const steps = lost.map((call) =>
      lastStep(call, { attempt: call.attempts, number: call.events + 1 }, wasLost, now, parts.settings),
    )
    await record(db, jobs, { ...parts, dial }, steps, now)
  })
}

const wasLost = { kind: 'failed', reason: 'The node that placed the call was lost.', final: false } as const
