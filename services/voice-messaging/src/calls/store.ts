import { type Aging, type Db, type ReadingDb, type Sql, sql, usedPerFree } from '@icosa/kernel'
import { recordingKey } from '../lines/sink.ts'
import type { Call, CallState } from './call.ts'

const columns = sql`tenant, id, set_name as set, number, caller, owner, speech, state, attempts, events`

export async function insert(
  db: Db,
  { tenant, id, set, number, caller, owner, speech }: Omit<Call, 'state' | 'attempts' | 'events'>,
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into voice_messaging.calls (tenant, id, set_name, number, caller, owner, speech, state, due_at, created_at,
      updated_at)
    values (${tenant}, ${id}, ${set}, ${number}, ${caller}, ${owner}, ${JSON.stringify(speech)}, 'waiting', ${now},
      ${now}, ${now})`)
}

/** Capacity of a node for further calls. */
export interface Capacity {
  readonly free: number
  /** Number of active calls by tenant. */
  readonly active: ReadonlyMap<string, number>
  /** Tenant of the call assigned last: round robin continues after it. */
  readonly after: string
}

const isWaiting = sql`state = 'waiting' and shift is null`
/** Maximum number of tenants considered, on either side of `after`. */
const maxTenants = 64

const nextTenant = (after: Sql) => sql`
  select tenant from voice_messaging.calls where ${isWaiting} and tenant > ${after} order by tenant limit 1`

/** Due calls of a tenant, earliest first. */
const dueOf = (of: Sql, now: Date, limit: Sql) => sql`
  select id, due_at from voice_messaging.calls where tenant = ${of}.tenant and ${isWaiting} and due_at <= ${now}
  order by due_at limit ${limit}`

/**
 * Assigns due calls to a job, round robin: first those of tenants with the fewest active calls, and none beyond a
 * tenant's fair share. Concurrent jobs get different calls.
 */
export function take(db: Db, shift: string, now: Date, { free, active, after }: Capacity): Promise<Call[]> {
  return db.many(sql`
    with recursive active as materialized (
      select * from unnest(${[...active.keys()]}::text[], ${[...active.values()]}::int[]) as active(tenant, calls)
    ), waiting(half, tenant, nth) as (
      select half, first.tenant, 1
      from (values (1, ${after}), (2, '')) as half(half, beyond) cross join lateral (${nextTenant(sql`beyond`)}) as first
      where half = 1 or first.tenant <= ${after}
      union all
      select half, next.tenant, nth + 1
      from waiting cross join lateral (${nextTenant(sql`waiting.tenant`)}) as next
      where nth < ${maxTenants} and (half = 1 or next.tenant <= ${after})
    ), candidates as (
      select waiting.*, coalesce(active.calls, 0)
        + row_number() over (partition by waiting.tenant order by due_at) as calls
      from waiting left join active on active.tenant = waiting.tenant
        cross join lateral (${dueOf(sql`waiting`, now, sql`${free}`)}) as call
    ), placed as (
      select *, row_number() over (order by calls, half, nth) as place from candidates
    ), granted as materialized (
      select tenant, count(*) as calls from placed
      where place <= ${free}::int and (calls = 1 or calls <= ${usedPerFree}::int * (${free}::int - place)) group by tenant
    ), locked as materialized (
      select granted.tenant, id from granted
        cross join lateral (${dueOf(sql`granted`, now, sql`granted.calls`)} for update skip locked) as call
    )
    update voice_messaging.calls set shift = ${shift} where (tenant, id) in (select tenant, id from locked)
    returning ${columns}`)
}

/** Selects a row if a call is due. */
export const anyDue = (now: Date) => sql`select from voice_messaging.calls where ${isWaiting} and due_at <= ${now}`

export async function isAnyDue(db: ReadingDb, now: Date): Promise<boolean> {
  return (await db.maybe(sql`${anyDue(now)} limit 1`)) !== undefined
}

export async function hasCalls(db: ReadingDb, shift: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 from voice_messaging.calls where shift = ${shift} limit 1`)) !== undefined
}

/** Returns the calls that a job had started, and releases the others. */
export async function interrupted(db: Db, shift: string): Promise<Call[]> {
  await db.run(sql`update voice_messaging.calls set shift = null where shift = ${shift} and state = 'waiting'`)
  return db.many(sql`select ${columns} from voice_messaging.calls where shift = ${shift} for update`)
}

/** Releases all calls of a job that failed for good. */
export async function release(db: Db, shift: string): Promise<void> {
  await db.run(sql`update voice_messaging.calls set shift = null, state = 'waiting' where shift = ${shift}`)
}

export interface Change {
  readonly tenant: string
  readonly id: string
  readonly state: CallState
  readonly attempts: number
  readonly events: number
  /** Time of the next attempt, if any. */
  readonly dueAt: Date | undefined
}

const finalStates: readonly CallState[] = ['completed', 'busy', 'no_answer', 'failed']

/** Stores the states of calls. Waiting and ended ones are released; the text of ended ones is deleted. */
export async function change(db: Db, changes: readonly Change[], now: Date): Promise<void> {
  await db.run(sql`
    update voice_messaging.calls as call set state = change.state, attempts = change.attempts, events = change.events,
      due_at = coalesce("dueAt", due_at), updated_at = ${now},
      shift = case when change.state = 'waiting' or change.state = any(${finalStates}) then null else shift end,
      speech = case when change.state = any(${finalStates}) then null else speech end
    from jsonb_to_recordset(${JSON.stringify(changes)}) as change(tenant text, id uuid, state text, attempts int,
      events int, "dueAt" timestamptz)
    where call.tenant = change.tenant and call.id = change.id`)
}

/** Ended calls and the sink's recordings are deleted after two weeks. */
export const retention: Aging = {
  column: 'updated_at',
  keepDays: 14,
  where: sql`speech is null`,
  blob: { of: ['id'], key: recordingKey },
}

/** Calls of a tenant, newest first. */
export function latest(
  db: ReadingDb,
  tenant: string,
  limit: number,
): Promise<(Pick<Call, 'number' | 'state' | 'attempts'> & { readonly updatedAt: Date })[]> {
  return db.many(sql`
    select number, state, attempts, updated_at as "updatedAt" from voice_messaging.calls where tenant = ${tenant}
    order by updated_at desc limit ${limit}`)
}
