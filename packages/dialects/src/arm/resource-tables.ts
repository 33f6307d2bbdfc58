import { type ReadingDb, sql } from '@icosa/kernel'

/** Resource tables are recognized by their columns; those of functions are not in groups. */
export async function resourceTables(db: ReadingDb, ...columns: readonly string[]): Promise<string[]> {
  const all = ['tenant', 'subscription_key', 'name_key', ...columns]
  const tables = await db.many<{ table: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as table
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped
      and a.attname = any(${all})
    group by n.nspname, c.relname having count(*) = ${all.length} order by 1`)
  return tables.map(({ table }) => table)
}
