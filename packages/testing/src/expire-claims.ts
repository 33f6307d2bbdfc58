import { type Database, sql } from '@icosa/kernel'

/**
 * Expires all claims and leases, instead of waiting ten seconds. Only for use while no worker is alive: a live one
 * would lose its jobs, too. `tests/chaos/worker.test.ts` shows that claims expire by themselves.
 */
export async function expireClaims(database: Database): Promise<void> {
  await database.run(sql`
    update icosa.jobs set renewed_at = renewed_at - interval '1 minute' where is_running`)
  await database.run(sql`delete from icosa.leases`)
}
