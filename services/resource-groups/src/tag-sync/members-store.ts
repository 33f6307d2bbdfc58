import { type Db, join, registered, type Sql, sql, varying } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import type { Registered } from '../queries/registry-store.ts'

/** A task of a group, and what it finds. */
export interface Finding {
  readonly taskId: string
  readonly selection: Sql
}

/** Puts in what tasks find and the group lacks, but for the group itself. Answers what came. */
export function addFound(
  db: Db,
  { tenant, key }: GroupKey,
  self: string,
  findings: readonly Finding[],
): Promise<Registered[]> {
  return db.many(
    varying(sql`
      with found as (${all(findings)}), added as (
        insert into resource_groups.members as m (tenant, group_key, resource_key, resource_created_at, pending, task_id)
        select distinct on (r.key) ${tenant}, ${key}, r.key, r.created_at, false, found.task_id
        from found join ${registered(tenant)} r on r.key = found.key
        where r.key <> lower(${self}) order by r.key, found.task_id
        on conflict (tenant, group_key, resource_key) do update
          set resource_created_at = excluded.resource_created_at, task_id = excluded.task_id, pending = false
          where m.resource_created_at <> excluded.resource_created_at
        returning resource_key)
      select r.key, r.id, r.type from added join ${registered(tenant)} r on r.key = added.resource_key`),
  )
}

/** Takes out what tasks have put in and none of them finds any more. Answers what went and still exists. */
export function removeLost(db: Db, { tenant, key }: GroupKey, findings: readonly Finding[]): Promise<Registered[]> {
  return db.many(
    varying(sql`
      with found as (${all(findings)}), gone as (
        delete from resource_groups.members m
        where m.tenant = ${tenant} and m.group_key = ${key} and m.task_id is not null
          and not exists (select from found where found.key = m.resource_key)
        returning m.resource_key)
      select r.key, r.id, r.type from gone join ${registered(tenant)} r on r.key = gone.resource_key`),
  )
}

const all = (findings: readonly Finding[]): Sql =>
  join(
    findings.map(
      ({ taskId, selection }) => sql`select found.key, ${taskId}::uuid as task_id from (${selection}) as found`,
    ),
    ' union all ',
  )
