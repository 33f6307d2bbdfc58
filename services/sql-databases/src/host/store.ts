import { Failure, sql } from '@icosa/kernel'
import pg from 'pg'
import type { Session } from './host.ts'

// Statements that define things take no parameters. Every name here was made by us and is quoted all the same.
const quoted = pg.escapeIdentifier

const found = async (session: Session, statement: ReturnType<typeof sql>) =>
  ((await session.query(statement)).rowCount ?? 0) > 0

/** Holds until the connection ends. */
export async function lock(admin: Session, names: readonly string[]): Promise<void> {
  for (const name of names) await admin.query(sql`select pg_advisory_lock(hashtextextended(${name}, 0))`)
}

/** A role that cannot sign in yet, in whose name the administrator may act: versions since 16 want that said. */
export async function makeRole(admin: Session, name: string): Promise<void> {
  if (!(await hasRole(admin, name))) await admin.query(`create role ${quoted(name)} nologin`)
  await admin.query(`grant ${quoted(name)} to current_user`)
}

const hasRole = (admin: Session, name: string) => found(admin, sql`select from pg_roles where rolname = ${name}`)

export const hasDatabase = (admin: Session, name: string) =>
  found(admin, sql`select from pg_database where datname = ${name}`)

/** From the template that nobody can be connected to. */
export async function makeDatabase(admin: Session, name: string, collation: string | null): Promise<void> {
  await admin.query(`create database ${quoted(name)} template template0 encoding 'UTF8' ${locale(collation)}`)
}

function locale(collation: string | null): string {
  if (collation === null) return ''
  if (collation.startsWith('C')) return `locale_provider libc locale ${pg.escapeLiteral(collation)}`
  return `locale_provider icu icu_locale ${pg.escapeLiteral(collation)} locale 'C'`
}

/** PostgreSQL copies only a database to which nobody is connected. */
export async function copyDatabase(admin: Session, name: string, source: string): Promise<void> {
  await admin.query(`create database ${quoted(name)} template ${quoted(source)}`)
}

/** Nobody but its role and the administrator, who owns it, may connect: its limits are not the role's to change. */
export async function giveDatabase(admin: Session, name: string): Promise<void> {
  await admin.query(`revoke all on database ${quoted(name)} from public`)
  await admin.query(`grant connect, create, temporary on database ${quoted(name)} to ${quoted(name)}`)
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
  await inside.query('commit')
}

export async function setPassword(admin: Session, name: string, verifier: string): Promise<void> {
  await admin.query(`alter role ${quoted(name)} password ${pg.escapeLiteral(verifier)}`)
}

/** For the database, and for the role wherever else it may connect. */
export async function setConnections(admin: Session, name: string, limit: number): Promise<void> {
  await admin.query(`alter database ${quoted(name)} connection limit ${Math.trunc(limit)}`)
  await admin.query(`alter role ${quoted(name)} connection limit ${Math.trunc(limit)}`)
}

export async function setSignIn(admin: Session, name: string, allowed: boolean): Promise<void> {
  await admin.query(`alter role ${quoted(name)} ${allowed ? 'login' : 'nologin'}`)
}

export async function setReadOnly(admin: Session, name: string, readOnly: boolean): Promise<void> {
  const change = readOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
  await admin.query(`alter role ${quoted(name)} in database ${quoted(name)} ${change}`)
}

export async function setOpen(admin: Session, name: string, open: boolean): Promise<void> {
  await admin.query(`alter database ${quoted(name)} allow_connections ${open}`)
}

/** Waits until they are gone. */
export async function endSessions(admin: Session, name: string): Promise<void> {
  await admin.query(sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = ${name} and usename in (${name}, current_user) and backend_type = 'client backend'`)
}

/**
 * Whatever there is of it. Not `with (force)`: that fails if a vacuum of the server's own is at work in the database,
 * which it may not end; without it the server does.
 */
export async function dropAll(admin: Session, name: string): Promise<void> {
  if (await hasDatabase(admin, name)) {
    await setOpen(admin, name, false)
    await endSessions(admin, name)
    await admin.query(`drop database ${quoted(name)}`)
  }
  if (!(await hasRole(admin, name))) return
  await admin.query(`drop owned by ${quoted(name)}`)
  await admin.query(`drop role ${quoted(name)}`)
}

export interface Measured {
  readonly name: string
  readonly bytes: number
  readonly isOpen: boolean
}

export async function measure(admin: Session, names: readonly string[]): Promise<Map<string, Measured>> {
  const { rows } = await admin.query<Measured>(sql`
    select datname as name, pg_database_size(oid)::float8 as bytes, datallowconn as "isOpen"
    from pg_database where datname = any(${names})`)
  return new Map(rows.map((row) => [row.name, row]))
}

/** Databases and roles that an installation has made. */
export async function namesFrom(admin: Session, prefix: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(sql`
    select datname as name from pg_database where starts_with(datname, ${prefix})
    union select rolname from pg_roles where starts_with(rolname, ${prefix})`)
  return rows.map(({ name }) => name)
}

/** Of all sessions in these databases the newest beyond a limit. */
export async function endNewestSessions(admin: Session, names: readonly string[], limit: number): Promise<void> {
  await admin.query(sql`
    select pg_terminate_backend(pid, 10000) from (
      select pid from pg_stat_activity
      where datname = usename and datname = any(${names}) and backend_type = 'client backend'
      order by backend_start, pid offset ${limit}) as newest`)
}

export interface OwnDatabase {
  readonly oid: string
  readonly name: string
}

/**
 * PostgreSQL lets every role connect to every database. Where the platform's own is on this host, too, the roles of
 * our callers are kept out of it.
 */
export async function closeToRoles(admin: Session, { oid, name }: OwnDatabase): Promise<void> {
  const open = sql`
    select from pg_database where oid::text = ${oid} and datname = ${name}
      and has_database_privilege('public', oid, 'connect')`
  if (!(await found(admin, open))) return
  await lock(admin, [name])
  // Only its owner may; whether it worked is seen below.
  await admin.query(`revoke connect on database ${quoted(name)} from public`).catch(() => {})
  await admin.query(sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`)
  if (await found(admin, open))
    throw new Failure(
      'unavailable',
      `The platform's own database is open to every role of the SQL host: its owner runs REVOKE CONNECT ON DATABASE ${quoted(name)} FROM PUBLIC.`,
    )
}
