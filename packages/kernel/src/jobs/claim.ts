import { type Db, type Sql, sql } from '../db/db.ts'
import { heldPerFree } from '../sharing/share.ts'
import type { Lane, Payload } from './jobs.ts'

/** Not a queue: has workers look whether their claims still hold. */
export const claimsName = '@claims'

/** Which job, and the how manieth claim on it. */
export interface ClaimKey {
  readonly queue: string
  readonly id: string
  readonly retryCount: number
}

/** A claim on a job: whoever holds an older one cannot complete it any more. */
export interface Claim extends ClaimKey {
  readonly data: Payload
}

/** What a worker could run of a lane of a queue. */
export interface Demand {
  readonly queue: string
  readonly lane: Lane
  /** How many slots are free. */
  readonly free: number
  /** How many jobs of each tenant run here already. */
  readonly running: ReadonlyMap<string, number>
  /** The tenant that was given a slot last: the next turn is that of those after it, however many wait. */
  readonly after: string
}

export interface Supply {
  readonly claims: readonly Claim[]
  readonly after: string
  /** Something waits that no slot was given to: it is to be asked for again when a slot is free. */
  readonly isMore: boolean
  /** Or at once: others were faster, or there was more to be had than is claimed in one go. */
  readonly isCut: boolean
}

/** How many tenants of a lane are looked at for one claim, before and after where it begins. */
const tenantsAtOnce = 64
/** How many jobs of a lane are claimed in one go. */
const jobsAtOnce = 64
/** pg-boss ends a job after a day, or after what stands in its row: a job lasts as long as its claim is renewed. */
const noExpirySeconds = 2 ** 31 - 1

const lane = sql`coalesce(job.group_tier, 'default')`
const tenant = sql`coalesce(job.group_id, 'icosa')`

/** By the index `job_by_tenant`: its columns, its order, its condition. */
const waitingIn = (line: Sql) =>
  sql`job.name = ${line}.queue and ${lane} = ${line}.lane and job.state < 'active' and not job.blocked`

const nextTenant = (line: Sql, after: Sql) => sql`
  select ${tenant} as tenant from jobs.job_common as job
  where ${waitingIn(line)} and ${tenant} > ${after} order by ${tenant} limit 1`

/**
 * Claims jobs as pg-boss does, but not in the order in which they came: tenant by tenant in turn, first those with the fewest
 * jobs running here, and none beyond its share of the slots. From one tenant to the next it goes by the index, so what it
 * costs depends on how many tenants wait, and not on how many jobs of theirs.
 */
export async function claimJobs(db: Db, demands: readonly Demand[]): Promise<Supply[]> {
  if (demands.length === 0) return []
  const running = demands.flatMap(({ running: own }, index) => [...own].map(([of, jobs]) => ({ index, of, jobs })))
  const rows = await db.many<Row>(sql`
    with recursive line as materialized (
      select * from unnest(${demands.map(({ queue }) => queue)}::text[], ${demands.map(({ lane: one }) => one)}::text[],
        ${demands.map(({ free }) => free)}::int[], ${demands.map(({ after }) => after)}::text[])
        with ordinality as line(queue, lane, free, after, number)
    ), running as materialized (
      select * from unnest(${running.map(({ index }) => index + 1)}::int[], ${running.map(({ of }) => of)}::text[],
        ${running.map(({ jobs }) => jobs)}::int[]) as running(number, tenant, jobs)
    ), waiting(number, queue, lane, free, half, until, tenant, nth) as (
      select number, queue, lane, free, half, until, first.tenant, 1
      from line cross join lateral (values (1, after, null), (2, '', after)) as half(half, beyond, until)
        cross join lateral (${nextTenant(sql`line`, sql`half.beyond`)}) as first
      where until is null or first.tenant <= until
      union all
      select number, queue, lane, free, half, until, next.tenant, nth + 1
      from waiting cross join lateral (${nextTenant(sql`waiting`, sql`waiting.tenant`)}) as next
      where nth < ${tenantsAtOnce} and (until is null or next.tenant <= until)
    ), candidates as (
      select waiting.*, coalesce(running.jobs, 0)
        + row_number() over (partition by waiting.number, waiting.tenant order by created_on) as held
      from waiting left join running on running.number = waiting.number and running.tenant = waiting.tenant
        cross join lateral (
          select created_on from jobs.job_common as job where ${waitingIn(sql`waiting`)} and ${tenant} = waiting.tenant
          order by created_on limit least(free, ${jobsAtOnce}) + 1) as job
    ), placed as (
      select *, row_number() over (partition by number order by held, half, nth) as place from candidates
    ), given as materialized (
      select number, queue, lane, tenant, count(*) as waiting, count(given) as jobs, max(given) as last
      from (
        select *, case when place <= least(free, ${jobsAtOnce})
          and (held = 1 or held <= ${heldPerFree}::int * (free - place)) then place end as given
        from placed) as placed
      group by number, queue, lane, tenant
    ), locked as materialized (
      select row from given cross join lateral (
        select ctid as row from jobs.job_common as job where ${waitingIn(sql`given`)} and ${tenant} = given.tenant
        order by created_on limit given.jobs for no key update skip locked) as job
    ), claimed as (
      update jobs.job_common as job set state = 'active', started_on = jobs.job_now(), heartbeat_on = jobs.job_now(),
        expire_seconds = ${noExpirySeconds},
        retry_count = case when started_on is null then retry_count else retry_count + 1 end
      where ctid = any(array(select row from locked))
      returning name as queue, ${lane} as lane, id, retry_count, data
    ), total as (
      select number, queue, lane, sum(jobs) as given, sum(waiting) as waiting,
        (array_agg(tenant order by last desc nulls last))[1] as last
      from given group by number, queue, lane
    )
    select number::int - 1 as index, total.queue, given::int, waiting::int, last, id, retry_count as "retryCount", data
    from total left join claimed on claimed.queue = total.queue and claimed.lane = total.lane`)
  const lines = Map.groupBy(rows, ({ index }) => index)
  return demands.map(({ after }, index) => supplyOf(lines.get(index) ?? [], after))
}

/** A job, or a lane of which none was claimed. */
interface Row {
  readonly index: number
  readonly queue: string
  readonly given: number
  readonly waiting: number
  readonly last: string
  readonly id: string | null
  readonly retryCount: number
  readonly data: Payload
}

function supplyOf(rows: readonly Row[], after: string): Supply {
  const { given = 0, waiting = 0, last = after } = rows[0] ?? {}
  const claims = rows.flatMap(({ queue, id, retryCount, data }) => (id === null ? [] : { queue, id, retryCount, data }))
  return {
    claims,
    after: given > 0 ? last : after,
    isMore: waiting > given,
    isCut: claims.length < given || given === jobsAtOnce,
  }
}

/** Says of claims that their work goes on. Answers those that still hold, by their ids. */
export async function renewClaims(db: Db, claims: readonly ClaimKey[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    update jobs.job_common as job set heartbeat_on = jobs.job_now()
    from unnest(${claims.map(({ queue }) => queue)}::text[], ${claims.map(({ id }) => id)}::uuid[],
      ${claims.map(({ retryCount }) => retryCount)}::int[]) as claim(queue, id, retry_count)
    where job.name = claim.queue and job.id = claim.id and job.state = 'active' and job.retry_count = claim.retry_count
    returning job.id`)
  return new Set(rows.map(({ id }) => id))
}
