import { type AnyJob, type Database, type Db, type JobsOf, jobsIn, type Platform } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { laneOf } from './partition.ts'
import { markAsked, type Segment, type TenantLane, unasked } from './store.ts'

/** What an evaluation is to look at: one lane of its tenant's, or all of them if none is named. */
export interface Evaluation {
  readonly lane?: number | undefined
}

export function lanesOf(segments: readonly Pick<Segment, 'tenant' | 'partition'>[]): TenantLane[] {
  const lanes = segments.map(({ tenant, partition }) => ({ tenant, lane: laneOf(partition) }))
  return [...new Map(lanes.map((one) => [`${one.lane} ${one.tenant}`, one])).values()]
}

/**
 * Has lanes evaluated, one job for each that has none on its way. To be called when the messages are committed: a job says
 * that it has begun before it looks, so either it sees them, or a new one is asked for.
 */
export async function ask(
  db: Db,
  jobs: JobsOf,
  evaluate: AnyJob<Evaluation>,
  lanes: readonly TenantLane[],
): Promise<void> {
  if (lanes.length === 0) return
  const asked = await markAsked(db, lanes)
  await jobs.enqueueAll(
    evaluate,
    asked.map(({ tenant, lane }) => ({ input: lane === undefined ? {} : { lane }, tenant })),
  )
}

/** The same outside of a job. Most of the time all that it does is to look. */
export async function askFrom(
  { database, queue }: Pick<Platform, 'queue'> & { readonly database: Database },
  evaluate: AnyJob<Evaluation>,
  lanes: readonly TenantLane[],
): Promise<void> {
  const idle = await unasked(database, lanes)
  if (idle.length === 0) return
  const touched = await database.transaction(async (db) => {
    const jobs = jobsIn(queue, db, serviceName, 'icosa')
    await ask(db, jobs, evaluate, idle)
    return jobs.touched
  })
  queue.wake(touched)
}
