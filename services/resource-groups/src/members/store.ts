import { type Db, type ReadingDb, registered, type Sql, sql, varying } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import type { Types } from '../queries/read.ts'
import type { Registered } from '../queries/registry-store.ts'

export interface Member extends Registered {
  /** Added while a configuration update was in progress. */
  readonly pending: boolean
}

/** Members that still exist: a resource created again under the same name is another one. */
const existing = ({ tenant, key }: GroupKey): Sql => sql`
  from resource_groups.members m
  join ${registered(tenant)} r on r.key = m.resource_key and r.created_at = m.resource_created_at
  where m.tenant = ${tenant} and m.group_key = ${key}`

export function page(db: ReadingDb, group: GroupKey, types: Types, after: string, limit: number): Promise<Member[]> {
  const ofTypes = types === 'all' ? sql`true` : sql`lower(r.type) = any(${types})`
  return db.many(
    varying(sql`
      select r.key, r.id, r.type, m.pending ${existing(group)} and m.resource_key > ${after} and ${ofTypes}
      order by m.resource_key limit ${limit}`),
  )
}

/** Selects all members that are not pending, as a statement for other stores. */
export const selection = (group: GroupKey): Sql => sql`select r.key, r.id, r.type ${existing(group)} and not m.pending`

export async function hasAny(db: ReadingDb, group: GroupKey): Promise<boolean> {
  return (await db.maybe(sql`select 1 ${existing(group)} limit 1`)) !== undefined
}

/** The distinct types of members that are not pending. */
export async function typesOf(db: ReadingDb, group: GroupKey): Promise<string[]> {
  const rows = await db.many<{ type: string }>(sql`select distinct r.type ${existing(group)} and not m.pending`)
  return rows.map(({ type }) => type)
}

/** Leaves existing members unchanged. Returns the keys of pending ones. */
export async function add(
  db: Db,
  { tenant, key }: GroupKey,
  resourceKeys: readonly string[],
  pending: boolean,
): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ key: string; pending: boolean }>(sql`
    insert into resource_groups.members as m (tenant, group_key, resource_key, resource_created_at, pending)
    select ${tenant}, ${key}, key, created_at, ${pending} from ${registered(tenant)} r where key = any(${resourceKeys})
    on conflict (tenant, group_key, resource_key) do update
      -- The existing row may belong to a deleted resource.
      set pending = case when m.resource_created_at = excluded.resource_created_at then m.pending else excluded.pending end,
        resource_created_at = excluded.resource_created_at
    returning resource_key as key, pending`)
  return new Set(rows.filter((row) => row.pending).map((row) => row.key))
}

/** Returns the keys that were members. */
export async function remove(db: Db, { tenant, key }: GroupKey, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ key: string }>(sql`
    delete from resource_groups.members m
    where m.tenant = ${tenant} and m.group_key = ${key} and m.resource_key = any(${keys}::text[])
    returning m.resource_key as key`)
  return new Set(rows.map((row) => row.key))
}

/** Accepts pending members, or removes them if their type is not allowed. */
export async function settlePending(db: Db, { tenant, key }: GroupKey, allowed: Types): Promise<void> {
  const refused = allowed === 'all' ? sql`false` : sql`lower(r.type) <> all(${allowed})`
  await db.run(
    varying(sql`
      delete from resource_groups.members m using ${registered(tenant)} r
      where m.tenant = ${tenant} and m.group_key = ${key} and m.pending and r.key = m.resource_key and ${refused}`),
  )
  await db.run(sql`
    update resource_groups.members set pending = false where tenant = ${tenant} and group_key = ${key} and pending`)
}

/** Removes members whose resources are deleted. */
export async function removeDeleted(db: Db, { tenant, key }: GroupKey): Promise<void> {
  await db.run(sql`
    delete from resource_groups.members m where m.tenant = ${tenant} and m.group_key = ${key}
      and not exists (select from ${registered(tenant)} r
        where r.key = m.resource_key and r.created_at = m.resource_created_at)`)
}
