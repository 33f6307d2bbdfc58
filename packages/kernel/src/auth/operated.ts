import { type Db, sql } from '../db/db.ts'
import { lockName } from '../db/named.ts'
import { developmentKeyId } from './credentials.ts'

/** Serializes changes: an operator's node and development mode must not both claim a free database. */
const lock = (db: Db) => lockName(db, 'icosa whose database')

/**
 * Marks the database as in operation, inside a transaction. Deletes the credentials that development mode left there,
 * and revokes their tokens.
 */
export async function takeIntoOperation(db: Db): Promise<void> {
  await lock(db)
  await db.run(sql`insert into icosa.operated (since) values (clock_timestamp()) on conflict do nothing`)
  await db.run(sql`
    with ended as (delete from icosa.credentials where development returning id)
    insert into icosa.revocations (subject) select id from ended`)
}

/** Whether the database is in operation. Inside a transaction, it stays so until that ends. */
export async function isInOperation(db: Db): Promise<boolean> {
  await lock(db)
  const { marked, prepared } = await db.one<{ marked: boolean; prepared: boolean }>(sql`
    select to_regclass('icosa.operated') is not null as marked, to_regclass('icosa.credentials') is not null as prepared`)
  if (marked) return (await db.maybe(sql`select 1 from icosa.operated`)) !== undefined
  if (!prepared) return false
  // Earlier versions left no mark, only credentials other than that of development mode.
  const row = await db.maybe(sql`
    select 1 from icosa.credentials having count(*) > 0 and not bool_or(id = ${developmentKeyId})`)
  return row !== undefined
}
