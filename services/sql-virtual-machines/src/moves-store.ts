import { type ReadingDb, sql } from '@icosa/kernel'

const maxNamed = 5

/** Names of a tenant's machines, or of its groups. */
export async function namesOf(db: ReadingDb, kind: 'machines' | 'groups', tenant: string): Promise<string[]> {
  const table = kind === 'machines' ? sql`sql_virtual_machines.machines` : sql`sql_virtual_machines.groups`
  const rows = await db.many<{ name: string }>(
    sql`select name from ${table} where tenant = ${tenant} order by name limit ${maxNamed}`,
  )
  return rows.map(({ name }) => name)
}
