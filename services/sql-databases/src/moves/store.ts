import { type ReadingDb, sql } from '@icosa/kernel'
import pg from 'pg'
import type { Session } from '../host/host.ts'
import { define } from '../host/store.ts'

/** Databases, perhaps deleted ones, for which the archive of the SQL host is kept. */
export async function continuousBackups(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select coalesce(d.name, kept.physical) as name from sql_databases.kept_databases as kept
      left join sql_databases.databases as d on d.physical = kept.physical
    where kept.tenant = ${tenant} order by 1 limit 5`)
  return rows.map(({ name }) => name)
}

/** Marks a role whose database is a copy under way, so that it is found even after its row is gone. Null removes the mark. */
export async function mark(admin: Session, role: string, text: string | null): Promise<void> {
  const literal = text === null ? 'null' : pg.escapeLiteral(text)
  await define(admin, `comment on role ${pg.escapeIdentifier(role)} is ${literal}`)
}

export async function marked(admin: Session, text: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(sql`
    select rolname as name from pg_roles join pg_shdescription on objoid = oid and classoid = 'pg_authid'::regclass
    where description = ${text}`)
  return rows.map(({ name }) => name)
}

/** A setting that the tenant has given to its role, everywhere or in its database. */
export interface RoleSetting {
  readonly inDatabase: boolean
  readonly name: string
  readonly value: string
}

/** Limits of the platform are not among them. */
export async function roleSettings(admin: Session, role: string): Promise<RoleSetting[]> {
  const { rows } = await admin.query<RoleSetting>(sql`
    select setdatabase <> 0 as "inDatabase", split_part(entry, '=', 1) as name,
      substr(entry, strpos(entry, '=') + 1) as value
    from pg_db_role_setting, unnest(setconfig) as entry
    where setrole = (select oid from pg_roles where rolname = ${role})
      and setdatabase in (0, (select oid from pg_database where datname = ${role}))
      and split_part(entry, '=', 1) not in ('temp_file_limit', 'default_transaction_read_only')
    order by 1, 2`)
  return rows
}

/** Settings whose values are lists of quoted names, which are not one text. */
const lists = ['search_path', 'temp_tablespaces', 'local_preload_libraries', 'session_preload_libraries']

/** As the role itself: it may set no more than it could before. */
export async function applySettings(own: Session, role: string, settings: readonly RoleSetting[]): Promise<void> {
  for (const { inDatabase, name, value } of settings) {
    const values = lists.includes(name)
      ? [...value.matchAll(/"((?:[^"]|"")*)"|[^,\s]+/g)].map(([word, quoted]) => quoted?.replaceAll('""', '"') ?? word)
      : [value]
    const where = inDatabase ? ` in database ${pg.escapeIdentifier(role)}` : ''
    const literals = values.map((word) => pg.escapeLiteral(word)).join(', ')
    await own.query(`alter role ${pg.escapeIdentifier(role)}${where} set ${quotedSetting(name)} = ${literals || "''"}`)
  }
}

const quotedSetting = (name: string) =>
  name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.')

/** Compares by value, whatever the settings of the role. */
const plainTexts = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'`

/** Row counts and hashes of all tables, values of sequences, and the number of large objects, by name. */
export async function digests(own: Session): Promise<Map<string, string>> {
  await own.query(plainTexts)
  const { rows } = await own.query<{ name: string; kind: string }>(sql`
    select format('%I.%I', nspname, relname) as name, relkind as kind
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'S', 'm') and nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`)
  const found = new Map<string, string>()
  for (const { name, kind } of rows) {
    const { rows: values } = await own.query<{ digest: string }>(
      kind === 'S'
        ? `select last_value || ' ' || is_called as digest from ${name}`
        : `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} as t`,
    )
    found.set(name, values[0]?.digest ?? '')
  }
  const { rows: large } = await own.query<{ digest: string }>(
    sql`select count(*)::text as digest from pg_largeobject_metadata`,
  )
  return found.set('large objects', large[0]?.digest ?? '')
}
