import { type AnyJob, type Db, type Job, type JobsOf, job, type NewJob } from '@icosa/kernel'
import { record } from '../history/store.ts'
import type { Delivery } from './deliver.ts'
import * as store from './due-store.ts'
import { manualId, scheduledId } from './execution.ts'
import { planOf } from './plan.ts'

/** How many jobs one transaction fires, how often each, and how many executions they may come to. */
const jobsAtOnce = 500
const timesAtOnce = 500
const executionsAtOnce = 2_000
/** How many deliveries one worker's slot makes side by side: a slow receiver does not hold up a whole slot. */
const deliveriesAtOnce = 25
/** Deliveries wait for one another so long at most. */
const batchMs = 100

export const fireEveryMs = 500
/** What is due before the next look is put on a timer now: it is then sent to the moment, however long a look takes. */
const aheadMs = 2 * fireEveryMs

/** Until when a job counts as due. */
export const horizonOf = (now: Date) => new Date(now.getTime() + aheadMs)

export const hasDue = (now: Date) => store.anyDue(horizonOf(now))

/** Looks what will be due in a moment. On however many nodes it runs: a job is fired by one of them. */
export function fireJob(deliver: AnyJob<Delivery>): Job<object> {
  return job<object>('fire', {
    lane: 'punctual',
    retries: 0, // the next one is half a second away
    async run(_, { clock, signal, transaction }) {
      const turn = () =>
        transaction(async (db, jobs) => {
          const now = clock.now()
          const due = await store.claimDue(db, horizonOf(now), jobsAtOnce)
          await fire(db, jobs, deliver, due, now)
          return due.length
        })
      while (!signal.aborted && (await turn()) > 0);
    },
  })
}

/** Writes an execution for every time that was due, has them delivered, and says when the jobs are due again. */
export async function fire(
  db: Db,
  jobs: JobsOf,
  deliver: AnyJob<Delivery>,
  due: readonly store.DueJob[],
  now: Date,
): Promise<void> {
  const planned: store.Planned[] = []
  let left = executionsAtOnce
  for (const one of due) {
    if (left <= 0) break
    const plan = planOf(one, horizonOf(now), Math.min(left, timesAtOnce))
    left -= plan.times.length
    planned.push({ job: one, plan })
  }
  if (planned.length === 0) return
  await store.advance(db, planned)
  await record(
    db,
    planned.flatMap((one) => leftOut(one, now)),
  )
  await send(db, jobs, deliver, planned.flatMap(executionsOf), now)
}

/** Runs a job now, beside its schedule. */
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
  const fresh = new Map((await store.insert(db, executions)).map((due) => [due.id, due]))
  const deliveries: NewJob<Delivery>[] = []
  // Never those of two tenants in one batch: one of them would wait for the other's receivers.
  for (const [tenant, own] of Map.groupBy(executions, (one) => one.tenant)) {
    for (const [turn, batch] of Map.groupBy(own, (one) => turnOf(one, now))) {
      const latest = batch.reduce((late, { expectedAt }) => (expectedAt > late ? expectedAt : late), now)
      const at = turn === 0 ? undefined : latest
      const due = batch.flatMap(({ id }) => fresh.get(id) ?? [])
      for (let start = 0; start < due.length; start += deliveriesAtOnce)
        deliveries.push({ input: { executions: due.slice(start, start + deliveriesAtOnce) }, at, tenant })
    }
  }
  await jobs.enqueueAll(deliver, deliveries)
}

/** Which batch an execution belongs to; 0 for those that are late. */
const turnOf = ({ expectedAt }: store.NewExecution, now: Date) =>
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

function leftOut({ job: { tenant, id, nextExecutionAt, occurrenceCount }, plan }: store.Planned, now: Date) {
  if (plan.leftOut === undefined) return []
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
      message: plan.leftOut,
      expectedAt,
      startedAt: now,
      endedAt: now,
      faulted: false,
    },
  ]
}
