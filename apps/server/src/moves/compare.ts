import { type Database, type Db, raw, sql } from '@icosa/kernel'
import type { MovedTable } from './tables.ts'

export interface Comparison {
  readonly tables: number
  readonly rows: number
  /** Tables that differ, with the row counts of source and target. */
  readonly different: readonly string[]
}

/** A snapshot of a database, open until it is closed. */
export interface Snapshot {
  readonly read: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  close(): Promise<void>
}

export async function openSnapshot(database: Database): Promise<Snapshot> {
  const opened = Promise.withResolvers<Db>()
  const closed = Promise.withResolvers<void>()
  const ended = database.transaction(async (db) => {
    await db.script(`
      set transaction isolation level repeatable read, read only;
      set local idle_in_transaction_session_timeout = 0; select from icosa.fence`)
    opened.resolve(db)
    await closed.promise
  })
  ended.catch(opened.reject)
  const db = await opened.promise
  return {
    read: (work) => work(db),
    async close() {
      closed.resolve()
      await ended.catch(() => {})
    },
  }
}

/** Columns that workers of each cell write in jobs of any tenant, since leases expire. */
const leases: Readonly<Record<string, readonly string[]>> = {
  'icosa.jobs': ['is_running', 'started_at', 'renewed_at'],
}

interface Digest {
  readonly rows: number
  readonly hash: string
}

/** Compares every table by the number of rows, and the sum of their hashes. */
export async function compare(source: Snapshot, target: Snapshot, tables: readonly MovedTable[]): Promise<Comparison> {
  const different: string[] = []
  let rows = 0
  for (const table of tables.filter(({ isCarried }) => !isCarried)) {
    const [before, after] = await Promise.all([source, target].map(({ read }) => read((db) => digest(db, table))))
    if (!before || !after) continue
    rows += after.rows
    if (before.hash !== after.hash || before.rows !== after.rows)
      different.push(`${table.name} (${before.rows}, ${after.rows})`)
  }
  return { tables: tables.length, rows, different }
}

function digest(db: Db, { name, filter, columns }: MovedTable): Promise<Digest> {
  const compared = columns
    .filter((column) => !leases[name]?.includes(column.name))
    .map((column) => `${column.name}::text`)
  return db.one(sql`
    select count(*)::float8 as rows, coalesce(sum(hashtextextended(array[${raw(compared.join(', '))}]::text, 0)), 0)::text as hash
    from ${raw(name)} where ${raw(filter)}`)
}
