import { type ReadingDb, sql } from '@icosa/kernel'

const maxNamed = 5

export async function databaseNames(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ name: string }>(
    sql`select name from sql_databases.databases where tenant = ${tenant} order by name limit ${maxNamed}`,
  )
  return rows.map(({ name }) => name)
}

/** Databases, perhaps deleted ones, for which the archive of the SQL host is kept. */
export async function continuousBackups(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select coalesce(d.name, kept.physical) as name from sql_databases.kept_databases as kept
      left join sql_databases.databases as d on d.physical = kept.physical
    where kept.tenant = ${tenant} order by 1 limit ${maxNamed}`)
  return rows.map(({ name }) => name)
}
