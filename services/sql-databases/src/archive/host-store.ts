import { sql } from '@icosa/kernel'
import type { Session } from '../host/host.ts'
import { type Lsn, toLsn } from './lsn.ts'

/** What was committed before `at` is in the log before `end`. */
export interface Mark {
  readonly at: Date
  readonly end: Lsn
}

/** The time comes first: whatever is written in between is after it. */
export async function markOf(session: Session): Promise<Mark> {
  const { rows } = await session.query(sql`select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as end`)
  const { at, end } = rows[0]
  return { at, end: toLsn(end) }
}

/** The superuser that every server has, whatever it is called. */
export async function superuserOf(session: Session): Promise<string> {
  const { rows } = await session.query(sql`select rolname as name from pg_roles where oid = 10`)
  return rows[0].name
}

/** In a server that nobody but us can reach: whoever could not sign in then can now. */
export async function openToRole(session: Session, name: string): Promise<boolean> {
  const { rows } = await session.query(sql`select from pg_database where datname = ${name}`)
  if (rows.length === 0) return false
  const quoted = `"${name.replaceAll('"', '""')}"`
  await session.query(`alter role ${quoted} login connection limit -1 valid until 'infinity'`)
  await session.query(`alter database ${quoted} with allow_connections true connection limit -1`)
  return true
}
