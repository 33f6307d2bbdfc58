import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export async function uploadsOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`select id from functions.uploads where tenant = ${tenant}`)
  return rows.map(({ id }) => id)
}

export function removeRows(db: Db, tenant: string): Promise<number> {
  return db.run(sql`
    delete from functions.retired_revisions
    where revision in (select id from functions.revisions where tenant = ${tenant})`)
}
