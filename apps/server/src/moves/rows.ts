import { type Database, type Db, Failure, raw, sql } from '@icosa/kernel'
import type { MovedTable } from './tables.ts'

const firstRows = 16
const maxRows = 2_000
const pageBytes = 4_000_000

/** Neither triggers nor foreign keys: derived rows and names are copied themselves, and each table in its turn. */
const asReplica = `set local session_replication_role = replica; set local idle_in_transaction_session_timeout = 0`

/** Copies rows anew, while they are not written in either cell. */
export async function copyLastRows(
  { source, target }: { readonly source: Database; readonly target: Database },
  tables: readonly MovedTable[],
  tenant: string,
): Promise<void> {
  await source.transaction((from) =>
    target.transaction(async (to) => {
      await to.script(asReplica)
      await demandAway(to, tenant)
      for (const table of tables.filter(({ isCopiedLast }) => isCopiedLast)) {
        await to.run(sql`delete from ${raw(table.name)} where ${raw(table.filter)}`)
        await copyTable(from, to, table)
      }
    }),
  )
}

export interface CopyOptions {
  readonly tenant: string
  readonly snapshot: string
  /** Rejects if the copy must not go on. */
  readonly onPage: () => Promise<void>
}

/** Copies the rows of a snapshot in one transaction. Values travel as PostgreSQL's own text, which loses nothing. */
export async function copyRows(
  { source, target }: { readonly source: Database; readonly target: Database },
  tables: readonly MovedTable[],
  { tenant, snapshot, onPage }: CopyOptions,
): Promise<number> {
  return source.transaction((from) =>
    target.transaction(async (to) => {
      await from.script(`
        set transaction isolation level repeatable read, read only;
        set transaction snapshot '${snapshot}'; set local idle_in_transaction_session_timeout = 0`)
      await to.script(asReplica)
      await demandAway(to, tenant)
      let rows = 0
      for (const table of tables.filter(({ isCopiedLast, isCarried }) => !isCopiedLast && !isCarried))
        rows += await copyTable(from, to, table, onPage)
      return rows
    }),
  )
}

async function copyTable(
  from: Db,
  to: Db,
  { name, filter, columns }: MovedTable,
  onPage: CopyOptions['onPage'] = async () => {},
): Promise<number> {
  const texts = columns.map((column) => `${column.name}::text`).join(', ')
  const values = columns.map(({ type }, index) => `texts[${index + 1}]::${type}`).join(', ')
  const names = columns.map((column) => column.name).join(', ')
  await from.script(
    `declare copied no scroll cursor for select array[${texts}]::text as line from ${name} where ${filter}`,
  )
  const fetch = (count: number) => from.script(`fetch ${count} from copied`) as Promise<{ line: string }[]>
  let rows = 0
  for (let page = await fetch(firstRows); page.length > 0; ) {
    await onPage()
    const next = fetch(nextCount(page)) // while this one is inserted
    next.catch(() => {}) // as below
    rows += await to.run(sql`
      insert into ${raw(`${name} (${names})`)} overriding system value
      select ${raw(values)} from unnest(${page.map(({ line }) => line)}::text[]) as line, lateral (select line::text[] as texts) as row`)
    page = await next
  }
  await from.script('close copied')
  return rows
}

/** As many rows as are expected to fill a page. */
function nextCount(page: readonly { readonly line: string }[]): number {
  const bytes = page.reduce((sum, { line }) => sum + line.length, 0)
  return Math.max(1, Math.min(maxRows, Math.floor((pageBytes * page.length) / bytes)))
}

/** Deletes a tenant's rows in a cell in which it does not live. */
export async function removeRows(database: Database, tables: readonly MovedTable[], tenant: string): Promise<void> {
  await database.transaction(async (db) => {
    await db.script(asReplica)
    await demandAway(db, tenant)
    for (const { name, filter } of tables) await db.run(sql`delete from ${raw(name)} where ${raw(filter)}`)
  })
}

/** Until the end of the transaction. */
async function demandAway(db: Db, tenant: string): Promise<void> {
  const away = await db.maybe(sql`select from icosa.tenant_states where id = ${tenant} and state = 'moved' for share`)
  if (!away) throw new Failure('conflict', `The tenant '${tenant}' lives in this cell: its rows are not touched.`)
}

export const hasRows = async (db: Db, { name, filter }: MovedTable): Promise<boolean> =>
  (await db.maybe(sql`select from ${raw(name)} where ${raw(filter)} limit 1`)) !== undefined
