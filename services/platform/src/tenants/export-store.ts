import { type Db, raw, sql } from '@icosa/kernel'
import type { TenantTable } from './store.ts'

const pageSize = 1000

/** Makes the transaction a read-only snapshot. */
export const asOfNow = (db: Db) => db.script('set transaction isolation level repeatable read, read only')

/** Opens a cursor, to be closed in any case. Returns whether the tenant has rows in the table. */
export async function open(
  db: Db,
  { table, tenant: column }: TenantTable,
  tenant: string,
  without: readonly string[],
): Promise<boolean> {
  const source = sql`from ${raw(table)} as t where ${raw(column)} = ${tenant}`
  await db.run(sql`
    declare exported no scroll cursor for select (to_jsonb(t) - ${without}::text[])::text as line ${source}`)
  return (await db.maybe(sql`select 1 ${source} limit 1`)) !== undefined
}

export async function next(db: Db): Promise<string[]> {
  const rows = (await db.script(`fetch ${pageSize} from exported`)) as { line: string }[]
  return rows.map(({ line }) => line)
}

export const close = (db: Db) => db.script('close exported')
