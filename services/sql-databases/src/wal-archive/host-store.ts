import { sql } from '@icosa/kernel'
import type { Session } from '../host/host.ts'
import { type Lsn, toLsn } from './lsn.ts'

/** Time and LSN: transactions committed before `at` are in the WAL before `end`. */
export interface Watermark {
  readonly at: Date
  readonly end: Lsn
}

/** Reads the time before the LSN, so that a commit in between is after `at`. */
export async function readWatermark(session: Session): Promise<Watermark> {
  const { rows } = await session.query(sql`select clock_timestamp() as at, pg_current_wal_flush_lsn()::text as end`)
  const { at, end } = rows[0]
  return { at, end: toLsn(end) }
}

/** Name of the bootstrap superuser, which every server has. */
export async function superuserOf(session: Session): Promise<string> {
  const { rows } = await session.query(sql`select rolname as name from pg_roles where oid = 10`)
  return rows[0].name
}

/** Lets the database's role sign in to a private server, even if it could not at the time. False without the database. */
export async function enableLogin(session: Session, name: string): Promise<boolean> {
  const { rows } = await session.query(sql`select from pg_database where datname = ${name}`)
  if (rows.length === 0) return false
  const quoted = `"${name.replaceAll('"', '""')}"`
  await session.query(`alter role ${quoted} login connection limit -1 valid until 'infinity'`)
  await session.query(`alter database ${quoted} with allow_connections true connection limit -1`)
  return true
}
