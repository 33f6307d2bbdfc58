import sql from 'sql-template-tag'
import type { Db } from './db.ts'

/** Takes an advisory lock until the transaction ends: for work that only one node may do at a time. */
export async function lockName(db: Db, name: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Also works during autovacuum, which `with (force)` may not terminate and a plain drop does. */
export async function dropDatabase(server: Db, name: string): Promise<void> {
  await server.many(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pg_has_role(usesysid, 'usage')`)
  await server.script(`drop database if exists "${name}"`)
}
