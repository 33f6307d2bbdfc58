import { assertCommitted, sql } from '@icosa/kernel'
import pg from 'pg'
import type { Session } from './host.ts'

// DDL statements take no parameters. All names here are our own, and quoted nevertheless.
const quoted = pg.escapeIdentifier

export const exists = async (session: Session, statement: ReturnType<typeof sql>) =>
  ((await session.query(statement)).rowCount ?? 0) > 0

/** Runs a DDL statement; retries after a concurrent change of the same row. */
export async function define(admin: Session, statement: string, tries = 5): Promise<void> {
  try {
    await admin.query(statement)
  } catch (error) {
    if (tries === 1 || !/tuple concurrently/.test((error as Error).message)) throw error
    await define(admin, statement, tries - 1)
  }
}

/** Locks until the connection ends. */
export async function lock(admin: Session, names: readonly string[]): Promise<void> {
  for (const name of names) await admin.query(sql`select pg_advisory_lock(hashtextextended(${name}, 0))`)
}

/** Creates a role without login, of which the administrator is a member: required from version 16 on. */
export async function makeRole(admin: Session, name: string): Promise<void> {
  if (!(await hasRole(admin, name))) await admin.query(`create role ${quoted(name)} nologin`)
  await admin.query(`grant ${quoted(name)} to current_user`)
}

export const hasRole = (admin: Session, name: string) =>
  exists(admin, sql`select from pg_roles where rolname = ${name}`)

export const hasDatabase = (admin: Session, name: string) =>
  exists(admin, sql`select from pg_database where datname = ${name}`)

export const hasSchema = (session: Session, name: string) =>
  exists(session, sql`select from pg_namespace where nspname = ${name}`)

/**
 * From template0, to which no session can be connected. PostgreSQL opens a new database to every role, so this one is closed
 * until it was given to its own.
 */
export async function makeDatabase(admin: Session, name: string, collation: string | null): Promise<void> {
  await admin.query(
    `create database ${quoted(name)} template template0 allow_connections false encoding 'UTF8' ${locale(collation)}`,
  )
}

function locale(collation: string | null): string {
  if (collation === null) return ''
  if (collation.startsWith('C')) return `locale_provider libc locale ${pg.escapeLiteral(collation)}`
  return `locale_provider icu icu_locale ${pg.escapeLiteral(collation)} locale 'C'`
}

/** The source must not have any sessions. */
export async function copyDatabase(admin: Session, name: string, source: string): Promise<void> {
  await admin.query(`create database ${quoted(name)} template ${quoted(source)} allow_connections false`)
}

/** Only its role and the administrator may connect. The administrator owns it, so the role cannot change its limits. */
export async function giveDatabase(admin: Session, name: string): Promise<void> {
  await define(admin, `revoke all on database ${quoted(name)} from public`)
  await define(admin, `grant connect, create, temporary on database ${quoted(name)} to ${quoted(name)}`)
}

export async function givePublicSchema(inside: Session, name: string): Promise<void> {
  await inside.query(`alter schema public owner to ${quoted(name)}`)
}

/**
 * Transfers ownership of all objects in a copy to the copy's role. Other references to the source's role, such as default
 * privileges, are dropped, and with them its right to its own database, which is therefore granted again.
 */
export async function giveCopiedObjects(inside: Session, name: string, source: string): Promise<void> {
  if (!(await hasRole(inside, source))) return
  await inside.query('begin')
  await inside.query(`reassign owned by ${quoted(source)} to ${quoted(name)}`)
  await inside.query(`drop owned by ${quoted(source)}`)
  if (await hasDatabase(inside, source)) await giveDatabase(inside, source)
  assertCommitted(await inside.query('commit'))
}

export async function setPassword(admin: Session, name: string, verifier: string): Promise<void> {
  await define(admin, `alter role ${quoted(name)} password ${pg.escapeLiteral(verifier)}`)
}

/** For the database, and for the role in any other database. */
export async function setConnections(admin: Session, name: string, limit: number): Promise<void> {
  await define(admin, `alter database ${quoted(name)} connection limit ${Math.trunc(limit)}`)
  await define(admin, `alter role ${quoted(name)} connection limit ${Math.trunc(limit)}`)
}

/** Limits each session of a role. Requires a superuser or a grant of one; the role cannot revert it. */
export async function setTempLimit(admin: Session, name: string, kilobytes: number): Promise<void> {
  const limit = pg.escapeLiteral(`${Math.trunc(kilobytes)}kB`)
  await define(admin, `alter role ${quoted(name)} in database ${quoted(name)} set temp_file_limit = ${limit}`)
}

export async function setSignIn(admin: Session, name: string, isAllowed: boolean): Promise<void> {
  await define(admin, `alter role ${quoted(name)} ${isAllowed ? 'login' : 'nologin'}`)
}

export async function setReadOnly(admin: Session, name: string, isReadOnly: boolean): Promise<void> {
  const change = isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
  await define(admin, `alter role ${quoted(name)} in database ${quoted(name)} ${change}`)
}

export async function setOpen(admin: Session, name: string, isOpen: boolean): Promise<void> {
  await define(admin, `alter database ${quoted(name)} allow_connections ${isOpen}`)
}

/** After a server crash during DROP DATABASE, the database can only be dropped. */
export const isHalfDropped = (admin: Session, name: string) =>
  exists(admin, sql`select from pg_database where datname = ${name} and datconnlimit = -2`)

/**
 * Not `with (force)`: that fails if an autovacuum worker is in the database, which it may not terminate; without it the server
 * does.
 */
export async function dropDatabase(admin: Session, name: string): Promise<void> {
  await admin.query(`drop database ${quoted(name)}`)
}

/** Databases in which a role owns objects or has privileges. */
export async function databasesWith(admin: Session, role: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(sql`
    select distinct datname as name from pg_shdepend join pg_database on pg_database.oid = dbid
    where refclassid = 'pg_authid'::regclass and refobjid = (select oid from pg_roles where rolname = ${role})`)
  return rows.map(({ name }) => name)
}

/** Drops the role's objects in the session's database, and its privileges on databases. */
export async function dropOwned(inside: Session, role: string): Promise<void> {
  await inside.query(`drop owned by ${quoted(role)}`)
}

export async function dropRole(admin: Session, name: string): Promise<void> {
  await admin.query(`drop role ${quoted(name)}`)
}

/** The SQL host itself, and its clock. */
export interface Moment {
  /** System identifier, which a physical copy shares. */
  readonly system: string
  readonly at: Date
}

/** A time at which everything committed so far has an earlier millisecond: a Date has no microseconds. */
export async function momentAfter(admin: Session): Promise<Moment> {
  const { rows } = await admin.query<Moment>(sql`
    select (select system_identifier::text from pg_control_system()) as system, clock_timestamp() as at
    from pg_sleep(0.002)`)
  return rows[0] as Moment
}

export interface Measurement extends Moment {
  readonly name: string
  readonly bytes: number
  readonly isOpen: boolean
  readonly collation: string
}

/** The column of a locale that is not libc's has another name since version 17. */
export async function measure(admin: Session, names: readonly string[]): Promise<Map<string, Measurement>> {
  const { rows } = await admin.query<Measurement>(sql`
    select datname as name, pg_database_size(oid)::float8 as bytes, datallowconn as "isOpen",
      coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', datcollate) as collation,
      (select system_identifier::text from pg_control_system()) as system, clock_timestamp() as at
    from pg_database as d where datname = any(${names})`)
  return new Map(rows.map((row) => [row.name, row]))
}

/** The current limits of a database and its role. */
export interface Limits {
  readonly name: string
  readonly databaseConnections: number
  readonly roleConnections: number
  readonly settings: readonly string[]
}

export async function currentLimits(admin: Session, names: readonly string[]): Promise<Limits[]> {
  const { rows } = await admin.query<Limits>(sql`
    select datname as name, datconnlimit as "databaseConnections", rolconnlimit as "roleConnections",
      coalesce(setconfig, '{}') as settings
    from pg_database join pg_roles on rolname = datname
      left join pg_db_role_setting on setdatabase = pg_database.oid and setrole = pg_roles.oid
    where datname = any(${names})`)
  return rows
}

export interface Capacity {
  /** Connections of the host for roles other than superusers. */
  readonly connections: number
  readonly maySetTempLimit: boolean
}

export async function capacity(admin: Session): Promise<Capacity> {
  const { rows } = await admin.query<Capacity>(sql`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as connections,
      has_parameter_privilege('temp_file_limit', 'set') as "maySetTempLimit"`)
  return rows[0] ?? { connections: 0, maySetTempLimit: false }
}

/** Names of an installation's databases and roles. */
export async function namesFrom(admin: Session, prefix: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(sql`
    select datname as name from pg_database where starts_with(datname, ${prefix})
    union select rolname from pg_roles where starts_with(rolname, ${prefix})`)
  return rows.map(({ name }) => name)
}
