import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SnapshotChanges } from '@icosa/platform'
import type { Client } from 'pg'
import { startDevPostgres } from '../postgres.ts'
import { mirror } from './mirror.ts'

/** Folder of the copies that a comparison starts, in the data folder. */
export const comparing = 'comparing'

type TableChanges = SnapshotChanges['tables'][number]

/**
 * Compares the platform's database in two snapshots. A PostgreSQL writes to its folder as it starts, so it runs on a
 * copy, which is a clone where the file system has them.
 */
export async function compareStates(dataDirectory: string, from: string, to: string): Promise<SnapshotChanges> {
  await using opened = new AsyncDisposableStack()
  const parent = join(dataDirectory, comparing)
  await mkdir(parent, { recursive: true, mode: 0o711 }) // the database's user traverses it
  const folder = await mkdtemp(join(parent, `${process.pid}-`))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const open = async (name: string, state: string) => {
    const directory = join(folder, name)
    await mirror(join(state, 'postgres'), join(directory, 'postgres'))
    const postgres = await startDevPostgres({ directory, throwaway: true })
    opened.defer(() => postgres.stop({ discarding: true }))
    const { default: pg } = await import('pg')
    const session = new pg.Client({ connectionString: postgres.url })
    session.on('error', () => {})
    await session.connect()
    opened.defer(() => session.end())
    return session
  }
  return await compareDatabases(await open('from', from), await open('to', to))
}

/** Compares two databases by the rows of their tables, and reads only the tables whose contents differ. */
async function compareDatabases(from: Client, to: Client): Promise<SnapshotChanges> {
  const [before, after] = [await tablesOf(from), await tablesOf(to)]
  const tables: TableChanges[] = []
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, current] = [before.get(name), after.get(name)]
    if (old?.digest === current?.digest) continue
    const changes = await changesOf(rowsOf(from, old), rowsOf(to, current))
    tables.push({ table: name, ...changes })
  }
  return { tables }
}

interface Table {
  readonly name: string
  /** Expression of its primary key, or of the whole row. */
  readonly key: string
  readonly digest?: string
}

const rowText = 'compared::text'

async function tablesOf(session: Client): Promise<ReadonlyMap<string, Table>> {
  const { rows } = await session.query<{ name: string; columns: string[] | null }>(`
    select format('%I.%I', nspname, relname) as name, (
      select array_agg(format('compared.%I', attname) order by attnum) from pg_index join pg_attribute
        on attrelid = indrelid and attnum = any(indkey) where indrelid = c.oid and indisprimary) as columns
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname <> 'information_schema' and nspname not like 'pg\\_%'`)
  const tables = new Map<string, Table>()
  for (const { name, columns } of rows) {
    const { rows: sums } = await session.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(${rowText}, 0)), 0) as digest from ${name} as compared`,
    )
    const key = columns
      ? `row(${columns.join(', ')})::text`
      : `${rowText} || row_number() over (partition by ${rowText})`
    tables.set(name, { name, key, digest: sums[0]?.digest ?? '' })
  }
  return tables
}

interface Row {
  readonly key: string
  readonly hash: string
}

const batchSize = 5_000

/** Rows in the order of the hash of their key, which both sides sort alike. */
async function* rowsOf(session: Client, table: Table | undefined): AsyncGenerator<Row, undefined> {
  if (!table) return
  await session.query(`begin; declare listed no scroll cursor for
    select md5(${table.key}) as key, hashtextextended(${rowText}, 0)::text as hash from ${table.name} as compared order by 1`)
  while (true) {
    const { rows } = await session.query<Row>(`fetch ${batchSize} from listed`)
    yield* rows
    if (rows.length < batchSize) break
  }
  await session.query('rollback')
}

async function changesOf(
  before: AsyncGenerator<Row, undefined>,
  after: AsyncGenerator<Row, undefined>,
): Promise<Omit<TableChanges, 'table'>> {
  let [added, removed, changed] = [0, 0, 0]
  const next = async (rows: typeof before) => (await rows.next()).value
  let [old, current] = [await next(before), await next(after)]
  while (old || current) {
    if (old && current && old.key === current.key) {
      if (old.hash !== current.hash) changed++
      ;[old, current] = [await next(before), await next(after)]
    } else if (!current || (old && old.key < current.key)) {
      removed++
      old = await next(before)
    } else {
      added++
      current = await next(after)
    }
  }
  return { added, removed, changed }
}
