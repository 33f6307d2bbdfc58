import { type AnyJob, type Database, type JobsOf, jobsIn, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { laneOf } from './partition.ts'
import type { Segment, TenantLane } from './store.ts'

/** What an evaluation is to look at: one lane of its tenant's, or all of them if none is named. */
export interface Evaluation {
  readonly lane?: number | undefined
}

export function lanesOf(segments: readonly Pick<Segment, 'tenant' | 'partition'>[]): TenantLane[] {
  const lanes = segments.map(({ tenant, partition }) => ({ tenant, lane: laneOf(partition) }))
  return [...new Map(lanes.map((one) => [`${one.lane} ${one.tenant}`, one])).values()]
}

/** Has lanes evaluated: by the job that waits for each, or by a new one. */
export async function ask(jobs: JobsOf, evaluate: AnyJob<Evaluation>, lanes: readonly TenantLane[]): Promise<void> {
  await jobs.enqueueAll(
    evaluate,
    lanes.map(({ tenant, lane }) =>
      lane === undefined ? { input: {}, tenant, key: 'all' } : { input: { lane }, tenant, key: String(lane) },
    ),
  )
}

/** The same outside of a job, once the messages are committed. Most of the time a job waits already. */
export async function askFrom(
  { database, queue }: Pick<Platform, 'queue'> & { readonly database: Database },
  evaluate: AnyJob<Evaluation>,
  lanes: readonly TenantLane[],
): Promise<void> {
  const jobs = jobsIn(queue, database, serviceName, 'icosa')
  await ask(jobs, evaluate, lanes)
  queue.wake(jobs.touched)
}
