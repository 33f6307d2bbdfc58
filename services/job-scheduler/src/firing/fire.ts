import { type AnyJob, type Db, type Job, type JobsOf, job, type NewJob } from '@icosa/kernel'
import { record } from '../history/store.ts'
import type { Delivery } from './deliver.ts'
import * as store from './due-store.ts'
import { manualId, scheduledId } from './execution.ts'
import { planOf } from './plan.ts'

/** Limits of one transaction. */
const maxJobs = 500
const maxTimesPerJob = 500
const maxExecutions = 2_000
/** Concurrent deliveries per worker slot: a slow receiver does not block a whole slot. */
const deliveriesPerJob = 25
/** Deliveries due within this time form a batch. */
const batchMs = 100

export const fireEveryMs = 500
/** Jobs due before the next poll are scheduled now, so that they are sent on time, however long a poll takes. */
const aheadMs = 2 * fireEveryMs

/** Time until which jobs count as due. */
export const horizonOf = (now: Date) => new Date(now.getTime() + aheadMs)

export const hasDue = (now: Date) => store.anyDue(horizonOf(now))

/** Fires jobs that are due soon. Each is fired by one node, however many run this. */
export function fireJob(deliver: AnyJob<Delivery>): Job<object> {
  return job<object>('fire', {
    lane: 'punctual',
    retries: 0, // runs again in half a second
    async run(_, { clock, signal, transaction }) {
      const fireBatch = () =>
        transaction(async (db, jobs) => {
          const now = clock.now()
          const due = await store.claimDue(db, horizonOf(now), maxJobs)
          await fire(db, jobs, deliver, due, now)
          return due.length
        })
      while (!signal.aborted && (await fireBatch()) > 0);
    },
  })
}

/** Writes an execution for every due time, schedules the deliveries, and sets the jobs' next times. */
export async function fire(
  db: Db,
  jobs: JobsOf,
  deliver: AnyJob<Delivery>,
  due: readonly store.DueJob[],
  now: Date,
): Promise<void> {
  const planned: store.Planned[] = []
  let remaining = maxExecutions
  for (const job of due) {
    if (remaining <= 0) break
    const plan = planOf(job, horizonOf(now), Math.min(remaining, maxTimesPerJob))
    remaining -= plan.times.length
    planned.push({ job, plan })
  }
  if (planned.length === 0) return
  await store.advance(db, planned)
  await record(
    db,
    planned.flatMap((entry) => skippedEntries(entry, now)),
  )
  await send(db, jobs, deliver, planned.flatMap(executionsOf), now)
}

/** Runs a job now, independently of its schedule. */
export async function fireManually(
  db: Db,
  jobs: JobsOf,
  deliver: AnyJob<Delivery>,
  { tenant, id, occurrenceCount }: Pick<store.DueJob, 'tenant' | 'id' | 'occurrenceCount'>,
  now: Date,
): Promise<void> {
  const execution = { tenant, jobId: id, id: manualId(id), expectedAt: now, repeatCount: occurrenceCount, byHand: true }
  await send(db, jobs, deliver, [execution], now)
}

async function send(
  db: Db,
  jobs: JobsOf,
  deliver: AnyJob<Delivery>,
  executions: readonly store.NewExecution[],
  now: Date,
): Promise<void> {
  const inserted = new Map((await store.insert(db, executions)).map((due) => [due.id, due]))
  const deliveries: NewJob<Delivery>[] = []
  // Batches contain one tenant only, since they wait for their slowest receiver.
  for (const [tenant, tenantExecutions] of Map.groupBy(executions, ({ tenant }) => tenant)) {
    for (const [number, batch] of Map.groupBy(tenantExecutions, (execution) => batchOf(execution, now))) {
      const latest = batch.reduce((max, { expectedAt }) => (expectedAt > max ? expectedAt : max), now)
      const at = number === 0 ? undefined : latest
      const due = batch.flatMap(({ id }) => inserted.get(id) ?? [])
      for (let start = 0; start < due.length; start += deliveriesPerJob)
        deliveries.push({ input: { executions: due.slice(start, start + deliveriesPerJob) }, at, tenant })
    }
  }
  await jobs.enqueueAll(deliver, deliveries)
}

/** Number of an execution's batch; 0 for late ones. */
const batchOf = ({ expectedAt }: store.NewExecution, now: Date) =>
  expectedAt <= now ? 0 : Math.ceil(expectedAt.getTime() / batchMs)

function executionsOf({ job: { tenant, id, occurrenceCount }, plan }: store.Planned): store.NewExecution[] {
  return plan.times.map((at, index) => ({
    tenant,
    jobId: id,
    id: scheduledId(id, at),
    expectedAt: at,
    repeatCount: occurrenceCount + index,
    byHand: false,
  }))
}

function skippedEntries({ job: { tenant, id, nextExecutionAt, occurrenceCount }, plan }: store.Planned, now: Date) {
  if (plan.skipped === undefined) return []
  const expectedAt = nextExecutionAt ?? now
  return [
    {
      tenant,
      jobId: id,
      executionId: `${scheduledId(id, expectedAt)}-left-out`,
      action: 'MainAction' as const,
      attempt: 0,
      repeatCount: occurrenceCount,
      status: 'Postponed' as const,
      message: plan.skipped,
      expectedAt,
      startedAt: now,
      endedAt: now,
      faulted: false,
    },
  ]
}
