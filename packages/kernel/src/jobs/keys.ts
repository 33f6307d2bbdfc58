import { type Db, sql } from '../db/db.ts'
import type { Claim } from './claim.ts'
import type { Payload } from './jobs.ts'

/** What a job is called in its queue, together with its key; names of jobs have no spaces. */
export const singletonKeyOf = ({ job, key }: Pick<Payload, 'job' | 'key'>) =>
  key === undefined ? undefined : `${job} ${key}`

/** Whether no other one with its key may wait. What is tried again has begun: it does not count, and is never left out. */
export const isExclusive = ({ key, failures }: Payload) => key !== undefined && failures === undefined

/** By which jobs with keys are told apart. */
export const nameOf = (payload: Payload) => nameIn(payload.tenant, singletonKeyOf(payload))
const nameIn = (tenant: string, singletonKey: string | undefined) => JSON.stringify([tenant, singletonKey])

/**
 * Enqueues jobs with keys, except for those under whose key one waits already. Such a one has not begun, and the worker that
 * claims it waits for this transaction: so it sees what is written here, as a new job would. Answers how many are new.
 */
export async function sendOnce(
  db: Db,
  queue: string,
  payloads: readonly Payload[],
  insert: (payloads: readonly Payload[]) => Promise<number>,
): Promise<number> {
  const sorted = new Map(
    payloads
      .toReversed()
      .map((one) => [nameOf(one), one] as const)
      .toSorted(byName),
  )
  let inserted = 0
  while (sorted.size > 0) {
    const fresh = await insert([...sorted.values()])
    inserted += fresh
    if (fresh === sorted.size) break
    for (const name of await holdWaiting(db, queue, [...sorted.values()])) sorted.delete(name)
    // Whatever is left was claimed in between.
  }
  return inserted
}

/** In one order: two that enqueue the same ones must not wait for each other. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

/** A lock for the rest of the transaction that keeps nobody from claiming the jobs, or from holding them, too. */
async function holdWaiting(db: Db, queue: string, payloads: readonly Payload[]): Promise<string[]> {
  const rows = await db.many<{ tenant: string; key: string }>(sql`
    select group_id as tenant, singleton_key as key from jobs.job_common
    where name = ${queue} and state = 'created' and source_id is null and not data ? 'failures'
      and singleton_key is not null and (group_id, singleton_key) in (
        select * from unnest(${payloads.map(({ tenant }) => tenant)}::text[], ${payloads.map(singletonKeyOf)}::text[]))
    for key share`)
  return rows.map(({ tenant, key }) => nameIn(tenant, key))
}

/** Waits for those who hold a job that was claimed meanwhile; nobody can hold it any more. */
export async function awaitHolders(db: Db, { queue, id }: Claim): Promise<void> {
  await db.run(sql`select from jobs.job_common where name = ${queue} and id = ${id} for update`)
}

/** Takes out what waits under a key, and has the workers of what runs lose their claims. Answers how many jobs those are. */
export async function cancelJobs(
  db: Db,
  queue: string,
  named: Required<Pick<Payload, 'job' | 'tenant' | 'key'>>,
): Promise<number> {
  const { job, tenant, key } = named
  const { count } = await db.one<{ count: number }>(sql`
    with timers as (
      delete from icosa.timers where queue = ${queue} and payload ? 'key' and payload ->> 'job' = ${job}
        and payload ->> 'tenant' = ${tenant} and payload ->> 'key' = ${key}
      returning 1
    ), cancelled as (
      update jobs.job_common set state = 'cancelled', completed_on = jobs.job_now()
      where name = ${queue} and group_id = ${tenant} and singleton_key = ${singletonKeyOf(named)}
        and state < 'completed'
      returning 1
    )
    select (select count(*) from timers)::int + (select count(*) from cancelled)::int as count`)
  return count
}
