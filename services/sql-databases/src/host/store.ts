import { assertCommitted, sql } from '@icosa/kernel'
import pg from 'pg'
import type { Session } from './host.ts'

// Statements that define things take no parameters. Every name here was made by us and is quoted all the same.
const quoted = pg.escapeIdentifier

export const found = async (session: Session, statement: ReturnType<typeof sql>) =>
  ((await session.query(statement)).rowCount ?? 0) > 0

/** Makes, changes or drops something; again where somebody else has changed the same in that moment. */
export async function define(admin: Session, statement: string, tries = 5): Promise<void> {
  try {
    await admin.query(statement)
  } catch (error) {
    if (tries === 1 || !/tuple concurrently/.test((error as Error).message)) throw error
    await define(admin, statement, tries - 1)
  }
}

/** Holds until the connection ends. */
export async function lock(admin: Session, names: readonly string[]): Promise<void> {
  for (const name of names) await admin.query(sql`select pg_advisory_lock(hashtextextended(${name}, 0))`)
}

/** A role that cannot sign in yet, in whose name the administrator may act: versions since 16 want that said. */
export async function makeRole(admin: Session, name: string): Promise<void> {
  if (!(await hasRole(admin, name))) await admin.query(`create role ${quoted(name)} nologin`)
  await admin.query(`grant ${quoted(name)} to current_user`)
}

export const hasRole = (admin: Session, name: string) => found(admin, sql`select from pg_roles where rolname = ${name}`)

export const hasDatabase = (admin: Session, name: string) =>
  found(admin, sql`select from pg_database where datname = ${name}`)

/**
 * From the template that nobody can be connected to. PostgreSQL opens a new database to every role, so this one stays
 * closed until it was given to its own.
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

/** PostgreSQL copies only a database to which nobody is connected. */
export async function copyDatabase(admin: Session, name: string, source: string): Promise<void> {
  await admin.query(`create database ${quoted(name)} template ${quoted(source)} allow_connections false`)
}

/** Nobody but its role and the administrator, who owns it, may connect: its limits are not the role's to change. */
export async function giveDatabase(admin: Session, name: string): Promise<void> {
  await define(admin, `revoke all on database ${quoted(name)} from public`)
  await define(admin, `grant connect, create, temporary on database ${quoted(name)} to ${quoted(name)}`)
}

export async function givePublicSchema(inside: Session, name: string): Promise<void> {
  await inside.query(`alter schema public owner to ${quoted(name)}`)
}

/**
 * Gives all that the source's role owns in a copy to the copy's. What then still names the source's role, such as
 * default privileges, goes; with it would go the role's right to its own database, which is therefore given again.
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

/** For the database, and for the role wherever else it may connect. */
export async function setConnections(admin: Session, name: string, limit: number): Promise<void> {
  await define(admin, `alter database ${quoted(name)} connection limit ${Math.trunc(limit)}`)
  await define(admin, `alter role ${quoted(name)} connection limit ${Math.trunc(limit)}`)
}

/** For each session of a role. Only a superuser may, or whom one has allowed to; the role cannot take it back. */
export async function setTempLimit(admin: Session, name: string, kilobytes: number): Promise<void> {
  const limit = pg.escapeLiteral(`${Math.trunc(kilobytes)}kB`)
  await define(admin, `alter role ${quoted(name)} in database ${quoted(name)} set temp_file_limit = ${limit}`)
}

export async function setSignIn(admin: Session, name: string, allowed: boolean): Promise<void> {
  await define(admin, `alter role ${quoted(name)} ${allowed ? 'login' : 'nologin'}`)
}

export async function setReadOnly(admin: Session, name: string, readOnly: boolean): Promise<void> {
  const change = readOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
  await define(admin, `alter role ${quoted(name)} in database ${quoted(name)} ${change}`)
}

export async function setOpen(admin: Session, name: string, open: boolean): Promise<void> {
  await define(admin, `alter database ${quoted(name)} allow_connections ${open}`)
}

/** A server that crashed while it dropped a database leaves one that can only be dropped. */
export const isHalfDropped = (admin: Session, name: string) =>
  found(admin, sql`select from pg_database where datname = ${name} and datconnlimit = -2`)

/**
 * Not `with (force)`: that fails if a vacuum of the server's own is at work in the database, which it may not end;
 * without it the server does.
 */
export async function dropDatabase(admin: Session, name: string): Promise<void> {
  await admin.query(`drop database ${quoted(name)}`)
}

/** Databases in which a role owns something or has a right to something. */
export async function databasesWith(admin: Session, role: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(sql`
    select distinct datname as name from pg_shdepend join pg_database on pg_database.oid = dbid
    where refclassid = 'pg_authid'::regclass and refobjid = (select oid from pg_roles where rolname = ${role})`)
  return rows.map(({ name }) => name)
}

/** In the database of the session, and all rights to databases themselves. */
export async function dropOwned(inside: Session, role: string): Promise<void> {
  await inside.query(`drop owned by ${quoted(role)}`)
}

export async function dropRole(admin: Session, name: string): Promise<void> {
  await admin.query(`drop role ${quoted(name)}`)
}

export interface Measured {
  readonly name: string
  readonly bytes: number
  readonly isOpen: boolean
  readonly collation: string
}

/** The column of a locale that is not the C library's has another name since version 17. */
export async function measure(admin: Session, names: readonly string[]): Promise<Map<string, Measured>> {
  const { rows } = await admin.query<Measured>(sql`
    select datname as name, pg_database_size(oid)::float8 as bytes, datallowconn as "isOpen",
      coalesce(to_jsonb(one) ->> 'datlocale', to_jsonb(one) ->> 'daticulocale', datcollate) as collation
    from pg_database as one where datname = any(${names})`)
  return new Map(rows.map((row) => [row.name, row]))
}

/** The limits that are set on a database and on its role. */
export interface Limits {
  readonly name: string
  readonly databaseConnections: number
  readonly roleConnections: number
  readonly settings: readonly string[]
}

export async function limitsNow(admin: Session, names: readonly string[]): Promise<Limits[]> {
  const { rows } = await admin.query<Limits>(sql`
    select datname as name, datconnlimit as "databaseConnections", rolconnlimit as "roleConnections",
      coalesce(setconfig, '{}') as settings
    from pg_database join pg_roles on rolname = datname
      left join pg_db_role_setting on setdatabase = pg_database.oid and setrole = pg_roles.oid
    where datname = any(${names})`)
  return rows
}

export interface Capacity {
  /** Connections that the host has for all who are not superusers. */
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

/** Databases and roles that an installation has made. */
export async function namesFrom(admin: Session, prefix: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(sql`
    select datname as name from pg_database where starts_with(datname, ${prefix})
    union select rolname from pg_roles where starts_with(rolname, ${prefix})`)
  return rows.map(({ name }) => name)
}
