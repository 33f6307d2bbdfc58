import { type Db, sql } from '../db/db.ts'

/** Failover time after a leader was killed. */
const leaseSeconds = 5
export const renewMs = 1_900

interface Runtime {
  readonly isHeld: boolean
  /** Remaining time of another holder's lease. */
  readonly leftMs: number
}

/**
 * Takes or renews a lease by PostgreSQL's clock. It saves work, but does not exclude: a paused holder may continue
 * alongside its successor.
 */
export function holdLease(db: Db, name: string, holder: string): Promise<Runtime> {
  return db.one(sql`
    with held as (
      insert into icosa.leases as lease (name, holder, expires_at)
      values (${name}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where lease.holder = excluded.holder or lease.expires_at <= clock_timestamp()
      returning 1
    )
    select exists (select from held) as "isHeld", coalesce(greatest(0, extract(epoch from (
      select expires_at from icosa.leases where name = ${name}) - clock_timestamp()) * 1000), 0)::float8 as "leftMs"`)
}

/** Returns whether it was held. */
export async function releaseLease(db: Db, name: string, holder: string): Promise<boolean> {
  return (await db.run(sql`delete from icosa.leases where name = ${name} and holder = ${holder}`)) === 1
}
