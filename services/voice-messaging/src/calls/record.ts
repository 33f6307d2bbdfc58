import { randomUUID } from 'node:crypto'
import type { AnyJob, Db, Job, JobsOf } from '@icosa/kernel'
import type { Delivery } from '../events/deliver.ts'
import { bodyOf, type Happening } from '../events/event.ts'
import * as events from '../events/store.ts'
import type { Call, CallState } from './call.ts'
import { newShift, type Shift } from './shift.ts'
import * as store from './store.ts'

/** An event of a call, and how the call is after it. */
export interface Step {
  readonly call: Call
  /** The event's number within the call, from 1. */
  readonly number: number
  readonly happening: Happening
  readonly state: CallState
  readonly retryAt?: Date | undefined
}

/** Writes what has happened, who is to be told, how the calls are now, and when they are tried again. */
export async function record(
  db: Db,
  jobs: JobsOf,
  { deliver, dial }: { readonly deliver: Job<Delivery>; readonly dial: AnyJob<Shift> },
  steps: readonly Step[],
  now: Date,
): Promise<void> {
  const rows = steps.map(rowOf)
  const latest = new Map(steps.map((step) => [step.call.id, step]))
  await store.change(db, [...latest.values()].map(changeOf), now)
  await events.insert(db, rows, now)
  // The steps may be those of many tenants, whoever's the job is that tells of them.
  for (const charge of await events.takeCharge(db, rows))
    await jobs.enqueue(deliver, { ...charge, failures: 0 }, { tenant: charge.tenant })
  for (const { call, retryAt } of steps)
    if (retryAt) await jobs.enqueue(dial, newShift(), { at: retryAt, tenant: call.tenant })
}

function rowOf({ call, number, happening }: Step): events.EventRow {
  const id = randomUUID()
  const { tenant, set } = call
  return {
    tenant,
    callId: call.id,
    number,
    id,
    type: happening.type,
    set,
    body: bodyOf(id, call, happening),
    at: happening.at,
  }
}

function changeOf({ call: { tenant, id }, number, happening: { attempt }, state, retryAt }: Step): store.Change {
  return { tenant, id, state, attempts: attempt, events: number, dueAt: retryAt }
}
