import { type ReadingDb, sql } from '@icosa/kernel'
import type { BackupPlan } from '../plans/contract.ts'
import type { BackupSelection } from '../selections/contract.ts'

export interface VaultLine {
  readonly tenant: string
  readonly name: string
  readonly id: string
  readonly password: Buffer
  readonly points: number
  readonly locked: boolean
  readonly lockAt: Date | null
  readonly lastAt: Date | null
  readonly lastState: string | null
}

export function vaultLines(db: ReadingDb, tenant: string | undefined): Promise<VaultLine[]> {
  return db.many(sql`
    select v.tenant, v.name, v.id, v.password, v.points::float8 as points, v.locked, v.lock_at as "lockAt",
      last.completed_at as "lastAt", last.state as "lastState"
    from backup.vaults v left join lateral (
      select completed_at, state from backup.backup_jobs j
      where j.tenant = v.tenant and j.vault = v.name and j.completed_at is not null
      order by j.created_at desc limit 1) as last on true
    where ${tenant ?? null}::text is null or v.tenant = ${tenant ?? null}
    order by v.tenant, v.name limit 1000`)
}

export interface PlanLine {
  readonly tenant: string
  readonly id: string
  readonly document: BackupPlan
  readonly lastRunAt: Date | null
  readonly selections: readonly BackupSelection[]
}

export function planLines(db: ReadingDb, tenant: string | undefined): Promise<PlanLine[]> {
  return db.many(sql`
    select p.tenant, p.id, v.document, p.last_run_at as "lastRunAt",
      (select coalesce(jsonb_agg(s.document order by s.created_at, s.id), '[]') from backup.selections s
        where s.tenant = p.tenant and s.plan_id = p.id) as selections
    from backup.plans p join backup.plan_versions v on v.tenant = p.tenant and v.plan_id = p.id and v.id = p.version_id
    where p.deleted_at is null and (${tenant ?? null}::text is null or p.tenant = ${tenant ?? null})
    order by p.tenant, p.name limit 1000`)
}
