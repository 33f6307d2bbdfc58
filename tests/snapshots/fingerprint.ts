import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import { startDevPostgres } from '../../apps/server/src/dev/postgres.ts'

/** Files of the process rather than of its state; PostgreSQL's content is read by queries. */
const excluded = /^(postgres|snapshots|restoring|instance\.json|icosa\.log|tls)(\/|$)/

/** Hashes of every table of every database, every role with its password, and every other file. */
export async function fingerprintOf(directory: string): Promise<Record<string, string>> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const hashes: Record<string, string> = {}
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(directory, path)
    if (entry.isFile() && !excluded.test(name)) hashes[`file ${name}`] = hashOf(await readFile(path))
  }
  const postgres = await startDevPostgres({ directory, throwaway: true })
  try {
    const roles = await query(
      postgres.url,
      'select rolname, to_jsonb(a)::text as row from pg_authid a order by rolname',
    )
    for (const { rolname, row } of roles) hashes[`role ${rolname}`] = hashOf(row ?? '')
    const databases = await query(
      postgres.url,
      'select datname, oid::text from pg_database where datallowconn order by 1',
    )
    for (const { datname, oid } of databases) {
      hashes[`database ${datname}`] = oid ?? ''
      const url = Object.assign(new URL(postgres.url), { pathname: `/${datname}` }).href
      for (const [table, hash] of await tablesAt(url)) hashes[`table ${datname} ${table}`] = hash
    }
    return Object.fromEntries(Object.entries(hashes).sort())
  } finally {
    await postgres.stop()
  }
}

type Row = Record<string, string | undefined>

async function query(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client.query<Row>(text).then(
    ({ rows }) => client.end().then(() => rows),
    (error) => client.end().then(() => Promise.reject(error)),
  )
}

async function tablesAt(url: string): Promise<[string, string][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string; kind: string }>(`
      select format('%I.%I', nspname, relname) as name, relkind as kind from pg_class join pg_namespace n on n.oid = relnamespace
      where relkind in ('r', 'S') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`)
    const hashes: [string, string][] = []
    for (const { name, kind } of tables) {
      const hash =
        kind === 'S'
          ? "last_value || ' ' || is_called"
          : "count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '')"
      const { rows } = await client.query<{ hash: string }>(`select ${hash} as hash from ${name} t`)
      hashes.push([name, rows[0]?.hash ?? ''])
    }
    return hashes
  } finally {
    await client.end()
  }
}

const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
