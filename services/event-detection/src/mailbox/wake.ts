import { type AnyJob, type Database, type JobsOf, jobsIn, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { laneOf } from './partition.ts'
import type { Segment, TenantLane } from './store.ts'

/** Job input: one lane of the tenant, or all lanes. */
export interface Evaluation {
  readonly lane?: number | undefined
}

export function lanesOf(segments: readonly Pick<Segment, 'tenant' | 'partition'>[]): TenantLane[] {
  const lanes = segments.map(({ tenant, partition }) => ({ tenant, lane: laneOf(partition) }))
  return [...new Map(lanes.map((lane) => [`${lane.lane} ${lane.tenant}`, lane])).values()]
}

/** Enqueues an evaluation of each lane, unless one is pending. */
export async function requestEvaluations(
  jobs: JobsOf,
  evaluate: AnyJob<Evaluation>,
  lanes: readonly TenantLane[],
): Promise<void> {
  await jobs.enqueueAll(
    evaluate,
    lanes.map(({ tenant, lane }) =>
      lane === undefined ? { input: {}, tenant, key: 'all' } : { input: { lane }, tenant, key: String(lane) },
    ),
  )
}

/** Like `requestEvaluations`, outside a job, after messages are committed. */
export async function requestEvaluationsNow(
  { database, queue }: Pick<Platform, 'queue'> & { readonly database: Database },
  evaluate: AnyJob<Evaluation>,
  lanes: readonly TenantLane[],
): Promise<void> {
  const jobs = jobsIn(queue, database, serviceName, 'icosa')
  await requestEvaluations(jobs, evaluate, lanes)
  queue.wake(jobs.touched)
}
