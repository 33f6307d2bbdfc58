import { type ReadingDb, sql } from '@icosa/kernel'
import { isHeld } from './legal-holds/store.ts'

export async function vaultIdsOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`select id from backup.vaults where tenant = ${tenant}`)
  return rows.map(({ id }) => id)
}

export async function vaultNames(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ name: string }>(
    sql`select name from backup.vaults where tenant = ${tenant} order by name limit 5`,
  )
  return rows.map(({ name }) => name)
}

export interface LockedVault {
  readonly name: string
  readonly locked: boolean
  readonly lockAt: Date | null
  readonly forever: boolean
  readonly minDays: number | null
  readonly maxDays: number | null
  readonly points: number
  /** When the last of its recovery points expires; null if one never does. */
  readonly until: Date | null
}

export function lockedVaultsOf(db: ReadingDb, tenant: string): Promise<LockedVault[]> {
  return db.many(sql`
    select v.name, v.locked, v.lock_at as "lockAt", v.forever, v.min_days as "minDays", v.max_days as "maxDays",
      count(*)::int as points, case when bool_and(p.delete_at is not null) then max(p.delete_at) end as until
    from backup.vaults as v join backup.recovery_points as p on p.tenant = v.tenant and p.vault = v.name
    where v.tenant = ${tenant} and v.locked group by v.tenant, v.name order by v.name`)
}

/** Number of recovery points under a legal hold. */
export async function countHeld(db: ReadingDb, tenant: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from backup.recovery_points as p where p.tenant = ${tenant} and ${isHeld}`)
  return count
}
