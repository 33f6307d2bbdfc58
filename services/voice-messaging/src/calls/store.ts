import { type Aging, type Db, sql } from '@icosa/kernel'
import type { Call, CallState } from './call.ts'
import { recordingKey } from './sink.ts'

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

/** Puts calls that are due into the hands of a job, the earliest first. Others that ask at the same time get others. */
export function take(db: Db, shift: string, now: Date, limit: number): Promise<Call[]> {
  return db.many(sql`
    update voice_messaging.calls set shift = ${shift} where (tenant, id) in (
      select tenant, id from voice_messaging.calls where state = 'waiting' and shift is null and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked)
    returning ${columns}`)
}

export async function isAnyDue(db: Db, now: Date): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from voice_messaging.calls where state = 'waiting' and shift is null and due_at <= ${now} limit 1`)
  return row !== undefined
}

/** Those that a job had begun. Those that it had not are for others again. */
export async function interrupted(db: Db, shift: string): Promise<Call[]> {
  await db.run(sql`update voice_messaging.calls set shift = null where shift = ${shift} and state = 'waiting'`)
  return db.many(sql`select ${columns} from voice_messaging.calls where shift = ${shift} for update`)
}

/** Whatever a job had: it is to be tried again, by another. For a job that died for good. */
export async function release(db: Db, shift: string): Promise<void> {
  await db.run(sql`update voice_messaging.calls set shift = null, state = 'waiting' where shift = ${shift}`)
}

export interface Change {
  readonly tenant: string
  readonly id: string
  readonly state: CallState
  readonly attempts: number
  readonly events: number
  /** When it is to be tried again, if it is. */
  readonly dueAt: Date | undefined
}

const over: readonly CallState[] = ['completed', 'busy', 'no_answer', 'failed']

/** Writes how far calls are. One that waits or is over is in nobody's hands; when it is over, nothing is to be said. */
export async function change(db: Db, changes: readonly Change[], now: Date): Promise<void> {
  await db.run(sql`
    update voice_messaging.calls as call set state = change.state, attempts = change.attempts, events = change.events,
      due_at = coalesce("dueAt", due_at), updated_at = ${now},
      shift = case when change.state = 'waiting' or change.state = any(${over}) then null else shift end,
      speech = case when change.state = any(${over}) then null else speech end
    from jsonb_to_recordset(${JSON.stringify(changes)}) as change(tenant text, id uuid, state text, attempts int,
      events int, "dueAt" timestamptz)
    where call.tenant = change.tenant and call.id = change.id`)
}

/** A call that is over is remembered for two weeks, and so long an operator finds what the sink was told. */
export const retention: Aging = {
  column: 'updated_at',
  keepDays: 14,
  where: sql`speech is null`,
  blob: { of: ['tenant', 'id'], key: recordingKey },
}
