import { type Db, type ReadingDb, type Sql, sql, varying } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import type { MemberChange } from './event.ts'

/** Compares the current members, which `members` selects, with the recorded ones. Groups above the limit have no differences. */
export function differences(
  db: ReadingDb,
  { tenant, key }: GroupKey,
  members: Sql,
  limit: number,
): Promise<MemberChange[]> {
  return db.many(
    varying(sql`
      with now as materialized (select * from (${members}) as all_members limit ${limit + 1}),
        before as (select resource_key as key, id, type from resource_groups.seen
          where tenant = ${tenant} and group_key = ${key})
      select key, id, type, change from (
        select *, 'add' as change from now where key not in (select key from before)
        union all
        select *, 'remove' as change from before where key not in (select key from now)) as changes
      where (select count(*) from now) <= ${limit}
      order by key`),
  )
}

export async function remember(db: Db, { tenant, key }: GroupKey, changes: readonly MemberChange[]): Promise<void> {
  const added = changes.filter(({ change }) => change === 'add')
  const removed = changes.filter(({ change }) => change === 'remove')
  await db.run(sql`
    insert into resource_groups.seen (tenant, group_key, resource_key, id, type)
    select ${tenant}, ${key}, * from unnest(${added.map((member) => member.key)}::text[], ${added.map(({ id }) => id)}::text[],
      ${added.map(({ type }) => type)}::text[])`)
  await db.run(sql`
    delete from resource_groups.seen
    where tenant = ${tenant} and group_key = ${key} and resource_key = any(${removed.map((member) => member.key)})`)
}
