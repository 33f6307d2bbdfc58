import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Database, type Db, lockName, sql } from './db.ts'

export interface Migrations {
  /** Also the name of the PostgreSQL schema, with `_` for `-`. */
  readonly owner: string
  readonly directory: URL
}

export interface Applied {
  readonly owner: string
  readonly name: string
}

export const schemaOf = (owner: string) => owner.replaceAll('-', '_')

/**
 * Brings every owner's schema up to date, each file in a transaction of its own. One node does it, the others
 * wait for the lock and find nothing left to do. A file that was applied may not change any more.
 */
export async function migrate(
  database: Database,
  all: readonly Migrations[],
  onApplied: (applied: Applied) => void = () => {},
): Promise<void> {
  const known = await database.transaction(async (db) => {
    await lockName(db, 'icosa migrations')
    await db.run(sql`create schema if not exists icosa`)
    await db.run(sql`
      create table if not exists icosa.migrations (
        owner text not null, name text not null, hash text not null, applied_at timestamptz not null default now(),
        primary key (owner, name))`)
    const rows = await db.many<Applied & { hash: string }>(sql`select owner, name, hash from icosa.migrations`)
    return new Map(rows.map(({ owner, name, hash }) => [`${owner}/${name}`, hash]))
  })
  for (const migration of await readMigrations(all)) {
    if (isApplied(migration, known.get(`${migration.owner}/${migration.name}`))) continue
    if (await database.transaction((db) => apply(db, migration))) onApplied(migration)
  }
}

export interface Migration extends Applied {
  readonly text: string
}

/** The files of all owners, in the order in which they are applied. */
export async function readMigrations(all: readonly Migrations[]): Promise<Migration[]> {
  const found: Migration[] = []
  for (const { owner, directory } of all) {
    for (const name of (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()) {
      found.push({ owner, name, text: await readFile(new URL(name, directory), 'utf8') })
    }
  }
  return found
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function isApplied({ owner, name, text }: Migration, hash: string | undefined): boolean {
  if (hash !== undefined && hash !== hashOf(text))
    throw new Error(`${owner}/${name} was changed after it had been applied: put the change into a new file`)
  return hash !== undefined
}

async function apply(db: Db, migration: Migration): Promise<boolean> {
  const { owner, name, text } = migration
  await lockName(db, 'icosa migrations')
  const known = await db.maybe<{ hash: string }>(sql`
    select hash from icosa.migrations where owner = ${owner} and name = ${name}`)
  if (isApplied(migration, known?.hash)) return false // another node was faster
  const schema = schemaOf(owner)
  await db.script(`create schema if not exists "${schema}"; set local search_path to "${schema}"; ${text}`)
  await db.run(sql`insert into icosa.migrations (owner, name, hash) values (${owner}, ${name}, ${hashOf(text)})`)
  return true
}
