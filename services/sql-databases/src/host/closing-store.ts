import { sql } from '@icosa/kernel'
import pg from 'pg'
import type { Session } from './host.ts'
import { define, exists } from './store.ts'

/** The platform's own database. */
export interface OwnDatabase {
  /** Identifies its PostgreSQL server. */
  readonly system: string
  readonly oid: string
  readonly name: string
}

/** Whether the platform's own database is on the SQL host. Without the privilege to read the server's identity, compares the database only. */
export async function hasPlatformDatabase(admin: Session, { system, oid, name }: OwnDatabase): Promise<boolean> {
  if (!(await exists(admin, sql`select from pg_database where oid::text = ${oid} and datname = ${name}`))) return false
  if (!(await exists(admin, sql`select where has_function_privilege('pg_control_system()', 'execute')`))) return true
  return exists(admin, sql`select from pg_control_system() where system_identifier::text = ${system}`)
}

export interface OpenDatabase {
  readonly name: string
  /** Whether the administrator may close it. */
  readonly mayClose: boolean
  /** The statement for its owner or a superuser. */
  readonly remedy: string
}

/** PostgreSQL lets every role connect to every database, until that is revoked for each of them. */
export async function openDatabases(admin: Session): Promise<OpenDatabase[]> {
  const { rows } = await admin.query<{ name: string; mayClose: boolean; isOurs: boolean; user: string }>(sql`
    select datname as name, pg_has_role(datdba, 'usage') as "mayClose", datname = current_database() as "isOurs",
      current_user as user
    from pg_database where datallowconn and has_database_privilege('public', oid, 'connect')
    order by datname`)
  return rows.map(({ name, mayClose, isOurs, user }) => {
    // The administrator connects to one of them, perhaps only by the right of PUBLIC.
    const keep = isOurs ? `GRANT CONNECT ON DATABASE ${quoted(name)} TO ${quoted(user)}; ` : ''
    return { name, mayClose, remedy: `${keep}${closing(name)}` }
  })
}

const quoted = pg.escapeIdentifier
const closing = (name: string) => `REVOKE CONNECT, TEMPORARY ON DATABASE ${quoted(name)} FROM PUBLIC`

export const closeDatabase = (admin: Session, name: string) => define(admin, closing(name))

export interface HostInfo {
  readonly user: string
  readonly preparedTransactions: number
}

export async function hostInfo(admin: Session): Promise<HostInfo> {
  const { rows } = await admin.query<HostInfo>(sql`
    select quote_ident(current_user) as user,
      current_setting('max_prepared_transactions')::int as "preparedTransactions"`)
  return rows[0] ?? { user: '', preparedTransactions: 0 }
}
