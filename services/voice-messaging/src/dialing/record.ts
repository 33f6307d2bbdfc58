import { randomUUID } from 'node:crypto'
import type { AnyJob, Db, JobsOf } from '@icosa/kernel'
import type { Call, CallState } from '../calls/call.ts'
import { newShift, type Shift } from '../calls/shift.ts'
import * as store from '../calls/store.ts'
import type { Delivery } from '../events/deliver.ts'
import { bodyOf, type CallEvent } from '../events/event.ts'
import * as events from '../events/store.ts'
import { isSimulated, type VoiceSettings } from '../settings.ts'

/** An event of a call, and the resulting state. */
export interface Step {
  readonly call: Call
  /** The event's number within the call, from 1. */
  readonly number: number
  readonly event: CallEvent
  readonly state: CallState
  readonly retryAt?: Date | undefined
}

interface Recording {
  readonly deliver: AnyJob<Delivery>
  readonly dial: AnyJob<Shift>
  readonly settings: Pick<VoiceSettings, 'trunk' | 'simulate'>
}

/** Stores events, their deliveries and the states of calls, and schedules retries. */
export async function record(
  db: Db,
  jobs: JobsOf,
  { deliver, dial, settings }: Recording,
  steps: readonly Step[],
  now: Date,
): Promise<void> {
  const rows = steps.map((step) => rowOf(step, isSimulated(settings)))
  const latest = new Map(steps.map((step) => [step.call.id, step]))
  await store.change(db, [...latest.values()].map(changeOf), now)
  await events.insert(db, rows, now)
  // The steps may belong to many tenants.
  for (const assignment of await events.assign(db, rows))
    await jobs.enqueue(deliver, { ...assignment, failures: 0 }, { tenant: assignment.tenant })
  for (const { call, retryAt } of steps)
    if (retryAt) await jobs.enqueue(dial, newShift(), { at: retryAt, tenant: call.tenant })
}

function rowOf({ call, number, event }: Step, simulated: boolean): events.EventRow {
  const id = randomUUID()
  const { tenant, set } = call
  return {
    tenant,
    callId: call.id,
    number,
    id,
    type: event.type,
    set,
    body: bodyOf(id, call, event, simulated),
    at: event.at,
  }
}

function changeOf({ call: { tenant, id }, number, event: { attempt }, state, retryAt }: Step): store.Change {
  return { tenant, id, state, attempts: attempt, events: number, dueAt: retryAt }
}
