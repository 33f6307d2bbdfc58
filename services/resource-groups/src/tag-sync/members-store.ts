import { type Db, join, registered, type Sql, sql, varying } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import type { Registered } from '../queries/registry-store.ts'

/** A task with a statement that selects its matches. */
export interface TaskSelection {
  readonly taskId: string
  readonly selection: Sql
}

/** Adds missing matches of tasks, except the group itself. Returns the new members. */
export function addMatches(
  db: Db,
  { tenant, key }: GroupKey,
  self: string,
  selections: readonly TaskSelection[],
): Promise<Registered[]> {
  return db.many(
    varying(sql`
      with matches as (${union(selections)}), added as (
        insert into resource_groups.members as m (tenant, group_key, resource_key, resource_created_at, pending, task_id)
        select distinct on (r.key) ${tenant}, ${key}, r.key, r.created_at, false, matches.task_id
        from matches join ${registered(tenant)} r on r.key = matches.key
        where r.key <> lower(${self}) order by r.key, matches.task_id
        on conflict (tenant, group_key, resource_key) do update
          set resource_created_at = excluded.resource_created_at, task_id = excluded.task_id, pending = false
          where m.resource_created_at <> excluded.resource_created_at
        returning resource_key)
      select r.key, r.id, r.type from added join ${registered(tenant)} r on r.key = added.resource_key`),
  )
}

/** Removes members that tasks added and none matches any longer. Returns those that still exist. */
export function removeStale(
  db: Db,
  { tenant, key }: GroupKey,
  selections: readonly TaskSelection[],
): Promise<Registered[]> {
  return db.many(
    varying(sql`
      with matches as (${union(selections)}), removed as (
        delete from resource_groups.members m
        where m.tenant = ${tenant} and m.group_key = ${key} and m.task_id is not null
          and not exists (select from matches where matches.key = m.resource_key)
        returning m.resource_key)
      select r.key, r.id, r.type from removed join ${registered(tenant)} r on r.key = removed.resource_key`),
  )
}

const union = (selections: readonly TaskSelection[]): Sql =>
  join(
    selections.map(
      ({ taskId, selection }) => sql`select key, ${taskId}::uuid as task_id from (${selection}) as selected`,
    ),
    ' union all ',
  )
