import { type Database, sql } from '@icosa/kernel'

/**
 * Expires all claims and leases, so that nobody waits ten seconds for them. Only where no worker is alive: a living one would lose
 * its jobs, too. `tests/chaos/worker.test.ts` shows that they expire by themselves.
 */
export async function expireClaims(database: Database): Promise<void> {
  await database.run(sql`
    update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`)
  await database.run(sql`delete from icosa.leases`)
}
