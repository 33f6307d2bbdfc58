import { type Db, sql } from '../db/db.ts'
import { lockName } from '../db/named.ts'
import { developmentKeyId } from './credentials.ts'

/** Before whoever would change it: an operator's node and development mode cannot both find the database free. */
const lock = (db: Db) => lockName(db, 'icosa whose database')

/**
 * Says that this database is an operator's, in a transaction. What development mode left there ends: its credentials,
 * and the tokens that were issued to them.
 */
export async function takeIntoOperation(db: Db): Promise<void> {
  await lock(db)
  await db.run(sql`insert into icosa.operated (since) values (clock_timestamp()) on conflict do nothing`)
  await db.run(sql`
    with ended as (delete from icosa.credentials where development returning id)
    insert into icosa.revocations (subject) select id from ended`)
}

/** Whether an operator has this database. In a transaction, nobody takes it into operation until that ends. */
export async function isInOperation(db: Db): Promise<boolean> {
  await lock(db)
  const { marked, prepared } = await db.one<{ marked: boolean; prepared: boolean }>(sql`
    select to_regclass('icosa.operated') is not null as marked, to_regclass('icosa.credentials') is not null as prepared`)
  if (marked) return (await db.maybe(sql`select 1 from icosa.operated`)) !== undefined
  if (!prepared) return false
  // An earlier version left no mark, but credentials of which none is of development mode.
  const found = await db.maybe(sql`
    select 1 from icosa.credentials having count(*) > 0 and not bool_or(id = ${developmentKeyId})`)
  return found !== undefined
}
