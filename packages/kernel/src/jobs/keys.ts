import { type Db, sql } from '../db/db.ts'
import type { Claim } from './claim.ts'
import type { Payload } from './jobs.ts'

/** Column `key`: job name and key. Job names contain no spaces. */
const columnOf = ({ job, key }: Pick<Payload, 'job' | 'key'>) => `${job} ${key}`

/** Whether the key excludes other waiting jobs. Retries have already started: they are exempt, and never dropped. */
export const isExclusive = ({ key, failures }: Payload) => key !== undefined && failures === undefined

/** Identity of a keyed job. */
export const nameOf = (payload: Payload) => nameIn(payload.tenant, columnOf(payload))
const nameIn = (tenant: string, key: string) => JSON.stringify([tenant, key])

/** Returns the number of new jobs: those whose key is already waiting are skipped. */
export async function sendJobs(db: Db, queue: string, payloads: readonly Payload[]): Promise<number> {
  const exclusive = payloads.filter(isExclusive)
  const others = exclusive.length === 0 ? payloads : payloads.filter((payload) => !isExclusive(payload))
  return (await insertJobs(db, queue, others)) + (await sendOnce(db, queue, exclusive))
}

async function insertJobs(db: Db, queue: string, payloads: readonly Payload[]): Promise<number> {
  if (payloads.length === 0) return 0
  return db.run(sql`
    insert into icosa.jobs (queue, payload) select ${queue}, jsonb_array_elements(${JSON.stringify(payloads)})
    on conflict (queue, tenant, key) where key is not null and attempt = 0 and not payload ? 'failures' do nothing`)
}

/**
 * Enqueues keyed jobs, except where one with the same key is waiting. That one has not started, and the worker claiming
 * it waits for this transaction: so it sees the rows written here, as a new job would.
 */
async function sendOnce(db: Db, queue: string, payloads: readonly Payload[]): Promise<number> {
  const sorted = new Map(
    payloads
      .toReversed()
      .map((payload) => [nameOf(payload), payload] as const)
      .toSorted(byName),
  )
  let inserted = 0
  while (sorted.size > 0) {
    const fresh = await insertJobs(db, queue, [...sorted.values()])
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
    select tenant, key from icosa.jobs
    where queue = ${queue} and key is not null and attempt = 0 and not payload ? 'failures' and (tenant, key) in (
      select * from unnest(${payloads.map(({ tenant }) => tenant)}::text[], ${payloads.map(columnOf)}::text[]))
    for key share`)
  return rows.map(({ tenant, key }) => nameIn(tenant, key))
}

/** Waits for the lock holders of a job that was claimed in the meantime; no new ones can appear. */
export async function awaitHolders(db: Db, { id }: Claim): Promise<void> {
  await db.run(sql`select from icosa.jobs where id = ${id} for update`)
}

/** Deletes jobs with a key: a running one has lost its lease by that. Returns the number of jobs. */
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
    ), jobs as (
      delete from icosa.jobs where queue = ${queue} and tenant = ${tenant} and key = ${columnOf(identity)}
      returning 1
    )
    select (select count(*) from timers)::int + (select count(*) from jobs)::int as count`)
  return count
}
