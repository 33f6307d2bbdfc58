import { type Db, sql } from '../db/db.ts'
import type { Claim } from './claim.ts'
import type { Payload } from './jobs.ts'

/** Job name and key in the queue; job names contain no spaces. */
export const singletonKeyOf = ({ job, key }: Pick<Payload, 'job' | 'key'>) =>
  key === undefined ? undefined : `${job} ${key}`

/** Whether the key excludes other waiting jobs. Retries have already started: they are exempt, and never dropped. */
export const isExclusive = ({ key, failures }: Payload) => key !== undefined && failures === undefined

/** Identity of a keyed job. */
export const nameOf = (payload: Payload) => nameIn(payload.tenant, singletonKeyOf(payload))
const nameIn = (tenant: string, singletonKey: string | undefined) => JSON.stringify([tenant, singletonKey])

/**
 * Enqueues keyed jobs, except where one with the same key is waiting. That one has not started, and the worker claiming
 * it waits for this transaction: so it sees the rows written here, as a new job would. Returns the number of new jobs.
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
      .map((payload) => [nameOf(payload), payload] as const)
      .toSorted(byName),
  )
  let inserted = 0
  while (sorted.size > 0) {
    const fresh = await insert([...sorted.values()])
    inserted += fresh
    if (fresh === sorted.size) break
    for (const name of await holdWaiting(db, queue, [...sorted.values()])) sorted.delete(name)
    // The rest was claimed in the meantime.
  }
  return inserted
}

/** Consistent lock order: concurrent senders of the same keys must not deadlock. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

/** Takes a shared lock until the transaction ends, which blocks neither claims nor other senders. */
async function holdWaiting(db: Db, queue: string, payloads: readonly Payload[]): Promise<string[]> {
  const rows = await db.many<{ tenant: string; key: string }>(sql`
    select group_id as tenant, singleton_key as key from jobs.job_common
    where name = ${queue} and state = 'created' and source_id is null and not data ? 'failures'
      and singleton_key is not null and (group_id, singleton_key) in (
        select * from unnest(${payloads.map(({ tenant }) => tenant)}::text[], ${payloads.map(singletonKeyOf)}::text[]))
    for key share`)
  return rows.map(({ tenant, key }) => nameIn(tenant, key))
}

/** Waits for the lock holders of a job that was claimed in the meantime; no new ones can appear. */
export async function awaitHolders(db: Db, { queue, id }: Claim): Promise<void> {
  await db.run(sql`select from jobs.job_common where name = ${queue} and id = ${id} for update`)
}

/** Deletes waiting jobs with a key and revokes the leases of running ones. Returns the number of jobs. */
export async function cancelJobs(
  db: Db,
  queue: string,
  identity: Required<Pick<Payload, 'job' | 'tenant' | 'key'>>,
): Promise<number> {
  const { job, tenant, key } = identity
  const { count } = await db.one<{ count: number }>(sql`
    with timers as (
      delete from icosa.timers where queue = ${queue} and payload ? 'key' and payload ->> 'job' = ${job}
        and payload ->> 'tenant' = ${tenant} and payload ->> 'key' = ${key}
      returning 1
    ), cancelled as (
      update jobs.job_common set state = 'cancelled', completed_on = jobs.job_now()
      where name = ${queue} and group_id = ${tenant} and singleton_key = ${singletonKeyOf(identity)}
        and state < 'completed'
      returning 1
    )
    select (select count(*) from timers)::int + (select count(*) from cancelled)::int as count`)
  return count
}
