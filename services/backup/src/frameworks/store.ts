import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { byName, type ListRequest } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { FrameworkControl } from './contract.ts'

export interface FrameworkRow {
  readonly tenant: string
  readonly name: string
  readonly id: string
  readonly description: string | null
  readonly controls: readonly FrameworkControl[]
  readonly token: string | null
  readonly tags: TagMap
  readonly createdAt: Date
}

const columns = sql`tenant, name, id, description, controls, token, tags, created_at as "createdAt"`
const is = (tenant: string, name: string) => sql`tenant = ${tenant} and name = ${name}`

/** Undefined if the name exists. */
export function insert(db: Db, row: FrameworkRow): Promise<FrameworkRow | undefined> {
  return db.maybe(sql`
    insert into backup.frameworks (tenant, name, id, description, controls, token, tags, created_at)
    values (${row.tenant}, ${row.name}, ${row.id}, ${row.description}, ${JSON.stringify(row.controls)}, ${row.token},
      ${JSON.stringify(row.tags)}, ${row.createdAt})
    on conflict (tenant, name) do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, name: string): Promise<FrameworkRow | undefined> {
  return db.point(sql`select ${columns} from backup.frameworks where ${is(tenant, name)}`)
}

export function list(db: ReadingDb, tenant: string, { limit, token }: ListRequest) {
  return byName<FrameworkRow>(
    { limit, token, query: ['frameworks', tenant] },
    ({ name }) => name,
    (after, count) =>
      db.many(sql`
        select ${columns} from backup.frameworks where tenant = ${tenant} and name > ${after}
        order by name limit ${count}`),
  )
}

export async function update(db: Db, { tenant, name, description, controls }: FrameworkRow): Promise<void> {
  await db.run(sql`
    update backup.frameworks set description = ${description}, controls = ${JSON.stringify(controls)}
    where ${is(tenant, name)}`)
}

export async function setTags(db: Db, { tenant, name }: FrameworkRow, tags: TagMap): Promise<void> {
  await db.run(sql`update backup.frameworks set tags = ${JSON.stringify(tags)} where ${is(tenant, name)}`)
}

export async function remove(db: Db, { tenant, name }: FrameworkRow): Promise<void> {
  await db.run(sql`delete from backup.frameworks where ${is(tenant, name)}`)
}

/** Recovery points of a resource, summarized for controls. */
export interface Coverage {
  readonly key: string
  readonly lastAt: Date
  readonly isInLockedVault: boolean
}

export function coverage(db: ReadingDb, tenant: string): Promise<Coverage[]> {
  return db.many(sql`
    select resource_key as key, max(p.created_at) as "lastAt", bool_or(v.locked) as "isInLockedVault"
    from backup.recovery_points p join backup.vaults v on v.tenant = p.tenant and v.name = p.vault
    where p.tenant = ${tenant} and p.status = 'COMPLETED' group by resource_key`)
}

/** Recovery points that are retained for fewer days. */
export async function retainedTooBriefly(db: ReadingDb, tenant: string, days: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from backup.recovery_points
    where tenant = ${tenant} and status = 'COMPLETED' and delete_after_days < ${days} order by created_at limit 10000`)
  return rows.map(({ id }) => id)
}
