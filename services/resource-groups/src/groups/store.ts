import { randomUUID } from 'node:crypto'
import { type Db, join, type Page, type ReadingDb, readPage, type Sql, sql, varying } from '@icosa/kernel'
import { startOf } from '../page-start.ts'
import type { GroupKey } from './address.ts'
import type { Configuration, GroupConfiguration, ResourceQuery } from './contract.ts'

/** Per tenant. */
export const maxGroups = 1_000

export interface GroupRow extends GroupKey {
  readonly uniqueId: string
  readonly name: string
  readonly description: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly query: ResourceQuery | null
  readonly configuration: Configuration | null
  /** Not applied yet, or failed. */
  readonly proposed: Configuration | null
  readonly status: GroupConfiguration['Status'] | null
  readonly failureReason: string | null
}

export interface NewGroup extends Pick<GroupRow, 'name' | 'description' | 'tags' | 'query' | 'configuration'> {
  /** The types in the query, in lower case. */
  readonly resourceTypes: readonly string[]
}

const columns = sql`tenant, key, unique_id as "uniqueId", name, description, tags, query, configuration, proposed,
  configuration_status as status, failure_reason as "failureReason"`

const is = ({ tenant, key }: GroupKey): Sql => sql`tenant = ${tenant} and key = ${key}`

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** Returns undefined if the name is in use. */
export function insert(db: Db, { tenant, key }: GroupKey, group: NewGroup, now: Date): Promise<GroupRow | undefined> {
  const { name, description, tags, query, configuration, resourceTypes } = group
  return db.maybe(sql`
    insert into resource_groups.groups (tenant, key, unique_id, name, description, tags, query, resource_types,
      configuration, configuration_status, created_at)
    values (${tenant}, ${key}, ${randomUUID()}, ${name}, ${description}, ${json(tags)}, ${json(query)},
      ${resourceTypes}, ${json(configuration)}, ${configuration && 'UPDATE_COMPLETE'}, ${now})
    on conflict do nothing returning ${columns}`)
}

export async function count(db: ReadingDb, tenant: string): Promise<number> {
  const row = await db.one<{ count: number }>(sql`
    select count(*)::int as count from resource_groups.groups where tenant = ${tenant}`)
  return row.count
}

export function find(db: ReadingDb, group: GroupKey): Promise<GroupRow | undefined> {
  return db.point(sql`select ${columns} from resource_groups.groups where ${is(group)}`)
}

export function lock(db: Db, group: GroupKey): Promise<GroupRow | undefined> {
  return db.maybe(sql`select ${columns} from resource_groups.groups where ${is(group)} for update`)
}

export function setDescription(db: Db, group: GroupKey, description: string): Promise<GroupRow> {
  return db.one(sql`
    update resource_groups.groups set description = ${description} where ${is(group)}
    returning ${columns}`)
}

export function setTags(db: Db, group: GroupKey, tags: GroupRow['tags']): Promise<GroupRow> {
  return db.one(sql`
    update resource_groups.groups set tags = ${json(tags)} where ${is(group)}
    returning ${columns}`)
}

export function setQuery(
  db: Db,
  group: GroupKey,
  query: ResourceQuery,
  resourceTypes: readonly string[],
): Promise<GroupRow> {
  return db.one(sql`
    update resource_groups.groups set query = ${json(query)}, resource_types = ${resourceTypes}
    where ${is(group)} returning ${columns}`)
}

export type ConfigurationState = Pick<GroupRow, 'configuration' | 'proposed' | 'status' | 'failureReason'>

export function setConfiguration(db: Db, group: GroupKey, state: ConfigurationState): Promise<GroupRow> {
  return db.one(sql`
    update resource_groups.groups set configuration = ${json(state.configuration)}, proposed = ${json(state.proposed)},
      configuration_status = ${state.status}, failure_reason = ${state.failureReason}
    where ${is(group)} returning ${columns}`)
}

/** Fails a pending update. */
export async function failConfiguration(db: Db, group: GroupKey, reason: string): Promise<void> {
  await db.run(sql`
    update resource_groups.groups set configuration_status = 'UPDATE_FAILED', failure_reason = ${reason}
    where ${is(group)} and configuration_status = 'UPDATING'`)
}

/** Foreign keys delete its members and its recorded members. */
export async function remove(db: Db, group: GroupKey): Promise<void> {
  await db.run(sql`delete from resource_groups.groups where ${is(group)}`)
}

/** Every filter must match. */
export interface GroupFilters {
  /** The query has one of these types, in lower case. */
  readonly resourceTypes: readonly (readonly string[])[]
  /** The configuration has one of these types. */
  readonly configurationTypes: readonly (readonly string[])[]
}

export interface ListRequest extends GroupFilters {
  readonly limit: number
  readonly token?: string | undefined
}

export function list(db: ReadingDb, tenant: string, request: ListRequest): Promise<Page<GroupRow>> {
  const { limit, token, resourceTypes, configurationTypes } = request
  const at = 'query/nextToken'
  const byQuery = resourceTypes.map((types) => sql`resource_types && ${types}`)
  const byConfiguration = configurationTypes.map(
    (types) => sql`configuration @> any(${types.map((type) => JSON.stringify([{ Type: type }]))}::jsonb[])`,
  )
  return readPage<GroupRow>(
    { limit, token, query: ['groups', tenant, resourceTypes, configurationTypes], at },
    ({ key }) => [key],
    (after, limit) =>
      db.many(
        varying(sql`
          select ${columns} from resource_groups.groups
          where ${join([sql`tenant = ${tenant}`, sql`key > ${startOf(after, at)}`, ...byQuery, ...byConfiguration], ' and ')}
          order by key limit ${limit}`),
      ),
  )
}

/** All keys of a tenant: there are at most `maxGroups`. */
export async function keys(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select key from resource_groups.groups where tenant = ${tenant} order by key limit ${maxGroups}`)
  return rows.map(({ key }) => key)
}

/** Returns the number of a group's next event; undefined if the tenant has events off. */
export async function nextSequence(db: Db, { tenant, key }: GroupKey): Promise<number | undefined> {
  const row = await db.maybe<{ sequence: string }>(sql`
    update resource_groups.groups set event_sequence = event_sequence + 1
    where tenant = ${tenant} and key = ${key}
      and exists (select from resource_groups.accounts a where a.tenant = ${tenant} and a.status = 'ACTIVE')
    returning event_sequence as sequence`)
  return row && Number(row.sequence)
}
