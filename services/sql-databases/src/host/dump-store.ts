import { assertCommitted, sql } from '@icosa/kernel'
import type { Session } from './host.ts'

export interface ServerVersion {
  readonly major: number
  readonly minor: number
}

export async function versionOf(session: Session): Promise<ServerVersion> {
  const { rows } = await session.query(sql`select current_setting('server_version_num')::int as number`)
  const { number } = rows[0]
  return { major: Math.floor(number / 10_000), minor: number % 10_000 }
}

/** Size of the session's database. */
export async function sizeOf(session: Session): Promise<number> {
  const { rows } = await session.query(sql`select pg_database_size(current_database())::float8 as bytes`)
  return rows[0].bytes
}

/** Runs the statements in one transaction. */
export async function loadScript(session: Session, script: string): Promise<void> {
  await session.query('begin')
  await session.query(script)
  assertCommitted(await session.query('commit'))
}
