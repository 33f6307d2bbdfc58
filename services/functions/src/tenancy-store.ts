import { type Db, sql } from '@icosa/kernel'

export function removeRows(db: Db, tenant: string): Promise<number> {
  return db.run(sql`
    delete from functions.retired_revisions
    where revision in (select id from functions.revisions where tenant = ${tenant})`)
}
