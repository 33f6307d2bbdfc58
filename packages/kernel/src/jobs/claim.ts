import { type Db, type Sql, sql } from '../db/db.ts'
import { isClosed } from '../db/fence/states.ts'
import { usedPerFree } from '../sharing/fair-quota.ts'
import type { Lane, Payload } from './jobs.ts'

/** A wake-up channel separate from the queues: tells workers to check their claims. */
export const claimsName = '@claims'

/** Job id and attempt number: together a fencing token. */
export interface ClaimKey {
  readonly id: string
  /** Counts from 1. */
  readonly attempt: number
}

/** A leased job. A worker with an older attempt number can no longer complete it. */
export interface Claim extends ClaimKey {
  readonly payload: Payload
}

/** Free capacity of a worker for one lane of a queue. */
export interface Demand {
  readonly queue: string
  readonly lane: Lane
  /** Free slots. */
  readonly free: number
  /** Jobs already running here, by tenant. */
  readonly running: ReadonlyMap<string, number>
  /** The tenant served last: round robin goes on after it. */
  readonly after: string
}

/** The jobs claimed for a demand. */
export interface Claimed {
  readonly claims: readonly Claim[]
  readonly after: string
  /** Jobs are left that got no slot: claim again when one is free. */
  readonly isMore: boolean
  /** Claim again immediately: other workers were faster, or the batch was full. */
  readonly isCut: boolean
}

/** Tenants of a lane considered by one claim, before and after `after`. */
const maxTenants = 64
/** Jobs of a lane claimed by one statement. */
const maxJobs = 64

/** Matches the partial index `jobs_waiting`: its columns, its order, its condition. */
const waitingIn = (line: Sql) => sql`job.queue = ${line}.queue and job.lane = ${line}.lane and not job.is_running`

const nextTenant = (line: Sql, after: Sql) => sql`
  select tenant, ${isClosed(sql`tenant`)} as closed
  from icosa.jobs as job where ${waitingIn(line)} and tenant > ${after} order by tenant limit 1`

/**
 * Claims due jobs, fairly between tenants: round robin from `after`, first the tenants with the fewest jobs running here,
 * and none beyond its share of the slots (`usedPerFree`). A loose index scan hops from tenant to tenant, so the cost grows
 * with the number of waiting tenants, not of their jobs. Tenants that leave the cell are passed over.
 *
 * Example: 4 free slots, `after` is b; a, b and c have 9, 1 and 1 jobs waiting and none running. `waiting` lists c (half 1:
 * beyond b), then a and b (half 2). `candidates` numbers each tenant's jobs by age; `ranked` orders them by that number,
 * then by turn: c1, a1, b1, a2, a3 ... A first job is always granted; a2 would need 2 <= 3 * (4 - 4) and is not. So
 * `granted` has one job each of c, a and b, and a slot stays free for a newcomer.
 */
export async function claimJobs(db: Db, demands: readonly Demand[]): Promise<Claimed[]> {
  if (demands.length === 0) return []
  const running = demands.flatMap(({ running: own }, index) =>
    [...own].map(([runningTenant, jobs]) => ({ index, runningTenant, jobs })),
  )
  const rows = await db.many<Row>(sql`
    with recursive line as materialized (
      select * from unnest(${demands.map(({ queue }) => queue)}::text[], ${demands.map(({ lane }) => lane)}::text[],
        ${demands.map(({ free }) => free)}::int[], ${demands.map(({ after }) => after)}::text[])
        with ordinality as line(queue, lane, free, after, number)
    ), running as materialized (
      select * from unnest(${running.map(({ index }) => index + 1)}::int[], ${running.map(({ runningTenant }) => runningTenant)}::text[],
        ${running.map(({ jobs }) => jobs)}::int[]) as running(number, tenant, jobs)
    ), waiting(number, queue, lane, free, half, until, tenant, closed, nth) as (
      select number, queue, lane, free, half, until, first.tenant, closed, (not closed)::int
      from line cross join lateral (values (1, after, null), (2, '', after)) as half(half, beyond, until)
        cross join lateral (${nextTenant(sql`line`, sql`half.beyond`)}) as first
      where until is null or first.tenant <= until
      union all
      select number, queue, lane, free, half, until, next.tenant, next.closed, nth + (not next.closed)::int
      from waiting cross join lateral (${nextTenant(sql`waiting`, sql`waiting.tenant`)}) as next
      where nth < ${maxTenants} and (until is null or next.tenant <= until)
    ), candidates as (
      select waiting.*, coalesce(running.jobs, 0)
        + row_number() over (partition by waiting.number, waiting.tenant order by id) as nth_of_tenant
      from waiting left join running on running.number = waiting.number and running.tenant = waiting.tenant
        cross join lateral (
          select id from icosa.jobs as job where ${waitingIn(sql`waiting`)} and job.tenant = waiting.tenant
          order by id limit least(free, ${maxJobs}) + 1) as job
      where not closed
    ), ranked as (
      select *, row_number() over (partition by number order by nth_of_tenant, half, nth) as rank from candidates
    ), granted as materialized (
      select number, queue, lane, tenant, count(*) as waiting, count(slot) as jobs, max(slot) as last
      from (
        select *, case when rank <= least(free, ${maxJobs})
          and (nth_of_tenant = 1 or nth_of_tenant <= ${usedPerFree}::int * (free - rank)) then rank end as slot
        from ranked) as ranked
      group by number, queue, lane, tenant
    ), locked as materialized (
      select id from granted cross join lateral (
        select id from icosa.jobs as job where ${waitingIn(sql`granted`)} and job.tenant = granted.tenant
        order by id limit granted.jobs for no key update skip locked) as job
    ), claimed as (
      update icosa.jobs set is_running = true, attempt = attempt + 1, started_at = clock_timestamp(),
        renewed_at = clock_timestamp()
      where id = any(array(select id from locked))
      returning queue, lane, id, attempt, payload
    ), total as (
      select number, queue, lane, sum(jobs) as granted, sum(waiting) as waiting,
        (array_agg(tenant order by last desc nulls last))[1] as last
      from granted group by number, queue, lane
    )
    select number::int - 1 as index, granted::int, waiting::int, last, id, attempt, payload
    from total left join claimed on claimed.queue = total.queue and claimed.lane = total.lane`)
  const lines = Map.groupBy(rows, ({ index }) => index)
  return demands.map(({ after }, index) => claimedOf(lines.get(index) ?? [], after))
}

/** A claimed job, or a lane without one (`id` is null). */
interface Row {
  readonly index: number
  readonly granted: number
  readonly waiting: number
  readonly last: string
  readonly id: string | null
  readonly attempt: number
  readonly payload: Payload
}

function claimedOf(rows: readonly Row[], after: string): Claimed {
  const { granted = 0, waiting = 0, last = after } = rows[0] ?? {}
  const claims = rows.flatMap(({ id, attempt, payload }) => (id === null ? [] : { id, attempt, payload }))
  return {
    claims,
    after: granted > 0 ? last : after,
    isMore: waiting > granted,
    isCut: claims.length < granted || granted === maxJobs,
  }
}

/** Renews leases. Returns the ids of those still valid. */
export async function renewClaims(db: Db, claims: readonly ClaimKey[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    update icosa.jobs as job set renewed_at = clock_timestamp()
    from unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ attempt }) => attempt)}::int[])
      as claim(id, attempt)
    where job.id = claim.id and job.attempt = claim.attempt and is_running
    returning job.id`)
  return new Set(rows.map(({ id }) => id))
}

/** Returns false if the lease was lost. */
export async function completeJob(db: Db, { id, attempt }: ClaimKey): Promise<boolean> {
  return (await db.run(sql`delete from icosa.jobs where id = ${id} and attempt = ${attempt} and is_running`)) === 1
}

interface Requeued {
  /** Queues of requeued jobs. */
  readonly requeued: readonly string[]
  /** Queues with waiting jobs. */
  readonly waiting: readonly string[]
}

/** Requeues jobs whose leases have expired, unless they are locked: those are being renewed or completed. */
export async function requeueExpired(db: Db, leaseMs: number): Promise<Requeued> {
  return db.one(sql`
    with recursive expired as (
      update icosa.jobs set is_running = false where id = any(array(
        select id from icosa.jobs
        where is_running and renewed_at < clock_timestamp() - ${leaseMs}::float8 * interval '1 millisecond'
        for no key update skip locked))
      returning queue
    ), waiting as (
      select min(queue) as queue from icosa.jobs where not is_running
      union all
      select (select min(job.queue) from icosa.jobs as job where not is_running and job.queue > waiting.queue)
      from waiting where waiting.queue is not null
    )
    select array(select distinct queue from expired) as requeued,
      array(select queue from waiting where queue is not null) as waiting`)
}
