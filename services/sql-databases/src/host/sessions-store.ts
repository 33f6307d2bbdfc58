import { type Sql, sql } from '@icosa/kernel'
import type { SqlSettings } from '../settings.ts'
import type { Session } from './host.ts'

// Selects only sessions that we may terminate: any other would fail the statement for all.
const terminate = (condition: Sql, waitMs: number) => sql`
  select pg_terminate_backend(pid, ${waitMs}) from pg_stat_activity
  where ${condition} and backend_type = 'client backend' and pid <> pg_backend_pid() and pg_has_role(usesysid, 'usage')`

const waitMs = 10_000

export async function ownPid(session: Session): Promise<number> {
  const { rows } = await session.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return rows[0]?.pid ?? 0
}

/** Terminates all sessions in a database, and waits for their end. */
export async function endSessionsIn(admin: Session, database: string): Promise<void> {
  await admin.query(terminate(sql`datname = ${database}`, waitMs))
}

/** Terminates all sessions of a role in any database, and waits for their end. */
export async function endSessionsOf(admin: Session, role: string): Promise<void> {
  await admin.query(terminate(sql`usename = ${role}`, waitMs))
}

/** Prefix of all callers' roles, of any installation. */
const callerPrefix = 'icosa_sql_'

/** Terminates callers' sessions that block one of these. */
export async function endBlockersOf(admin: Session, pids: readonly number[]): Promise<void> {
  const blocking = sql`pid in (
    select blocking from unnest(${pids}::int[]) as working (pid), unnest(pg_blocking_pids(working.pid)) as blocking)`
  await admin.query(terminate(sql`starts_with(usename, ${callerPrefix}) and ${blocking}`, 0))
}

/** Terminates sessions with too long transactions, or in a database of another role. */
export async function endOverstaying(
  admin: Session,
  prefix: string,
  { transactionMs, idleInTransactionMs }: SqlSettings,
): Promise<void> {
  const longerThan = (since: Sql, ms: number) =>
    sql`clock_timestamp() - ${since} > make_interval(secs => ${ms / 1_000}::float8)`
  await admin.query(
    terminate(
      sql`starts_with(usename, ${prefix}) and (datname <> usename
        or ${longerThan(sql`xact_start`, transactionMs)}
        or state like 'idle in transaction%' and ${longerThan(sql`state_change`, idleInTransactionMs)})`,
      0,
    ),
  )
}

/** Number of connections by role. */
export async function connectionsByRole(admin: Session, prefix: string): Promise<Map<string, number>> {
  const { rows } = await admin.query<{ role: string; count: number }>(sql`
    select usename as role, count(*)::int as count from pg_stat_activity
    where starts_with(usename, ${prefix}) and backend_type = 'client backend' group by usename`)
  return new Map(rows.map(({ role, count }) => [role, count]))
}

/** Terminates the newest sessions of these roles beyond a limit. */
export async function endNewestSessions(admin: Session, roles: readonly string[], limit: number): Promise<void> {
  const newest = sql`pid in (
    select pid from pg_stat_activity where usename = any(${roles}) and backend_type = 'client backend'
    order by backend_start, pid offset ${limit})`
  await admin.query(terminate(newest, 0))
}
