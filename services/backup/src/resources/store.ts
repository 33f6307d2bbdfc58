import { type ReadingDb, sql, varying } from '@icosa/kernel'
import { byName, type ListRequest } from '../shapes/page-store.ts'

/** A resource, with its last recovery point. */
export interface ProtectedRow {
  readonly tenant: string
  readonly key: string
  readonly arn: string
  readonly type: string
  readonly name: string
  readonly vault: string
  readonly pointId: string
  readonly lastAt: Date
}

const columns = sql`tenant, resource_key as key, resource_arn as arn, resource_type as type, resource_name as name, vault,
  id as "pointId", created_at as "lastAt"`

export function find(db: ReadingDb, tenant: string, arns: readonly string[]): Promise<ProtectedRow | undefined> {
  return db.maybe(sql`
    select ${columns} from backup.recovery_points where tenant = ${tenant} and resource_key = any(${arns}::text[])
    order by created_at desc, id desc limit 1`)
}

/** Takes one step in the index per resource, however many recovery points it has. */
export function list(db: ReadingDb, tenant: string, vault: string | undefined, { limit, token }: ListRequest) {
  const inVault = vault === undefined ? sql`true` : sql`vault = ${vault}`
  return byName<ProtectedRow>(
    { limit, token, query: ['protected resources', tenant, vault] },
    ({ key }) => key,
    (after, count) =>
      db.many(
        varying(sql`
          with recursive found as (
            (select resource_key as key, 1 as n from backup.recovery_points
              where tenant = ${tenant} and resource_key > ${after} and ${inVault} order by resource_key limit 1)
            union all
            select (select resource_key from backup.recovery_points
              where tenant = ${tenant} and resource_key > found.key and ${inVault} order by resource_key limit 1), n + 1
            from found where found.key is not null and n < ${count})
          select last.* from found cross join lateral (
            select ${columns} from backup.recovery_points
            where tenant = ${tenant} and resource_key = found.key and ${inVault}
            order by created_at desc, id desc limit 1) as last
          order by last.key`),
      ),
  )
}

export interface LastRestore {
  readonly createdAt: Date
  readonly completedAt: Date
  readonly pointCreatedAt: Date
}

export function lastRestore(db: ReadingDb, tenant: string, key: string): Promise<LastRestore | undefined> {
  return db.maybe(sql`
    select created_at as "createdAt", completed_at as "completedAt", point_created_at as "pointCreatedAt"
    from backup.restore_jobs where tenant = ${tenant} and resource_key = ${key} and status = 'COMPLETED'
    order by created_at desc, id desc limit 1`)
}
