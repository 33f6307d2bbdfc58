import { randomUUID } from 'node:crypto'
import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type Page, type ReadingDb, sql } from '@icosa/kernel'
import { type CollectionAddress, keyOf } from './address.ts'
import type { Quota, Sku } from './quota.ts'

export type CollectionState = 'Enabled' | 'Disabled' | 'Suspended'

/** Properties chosen by the owner. */
export interface Choices {
  readonly location: string
  readonly tags: Readonly<Record<string, string>>
  readonly sku: Sku
  readonly state: CollectionState
  readonly quota: Quota
}

export interface Row extends CollectionAddress, Choices {
  readonly tenant: string
  readonly id: string
  readonly jobCount: number
}

const columns = sql`tenant, id, subscription as "subscriptionId", resource_group as "resourceGroupName",
  name as "jobCollectionName", location, tags, sku, state, quota, job_count as "jobCount"`

const at = (tenant: string, { subscriptionId, resourceGroupName, jobCollectionName }: CollectionAddress) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and name_key = ${keyOf(jobCollectionName)}`

/** Returns undefined if the name is in use. */
export function insert(
  db: Db,
  tenant: string,
  { subscriptionId, resourceGroupName, jobCollectionName }: CollectionAddress,
  { location, tags, sku, state, quota }: Choices,
  now: Date,
): Promise<Row | undefined> {
  return db.maybe(sql`
    insert into job_scheduler.collections (tenant, subscription_key, group_key, name_key, id, subscription,
      resource_group, name, location, tags, sku, state, quota, created_at, updated_at)
    values (${tenant}, ${keyOf(subscriptionId)}, ${keyOf(resourceGroupName)}, ${keyOf(jobCollectionName)},
      ${randomUUID()}, ${subscriptionId}, ${resourceGroupName}, ${jobCollectionName}, ${location},
      ${JSON.stringify(tags)}, ${sku}, ${state}, ${JSON.stringify(quota)}, ${now}, ${now})
    on conflict do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, address: CollectionAddress): Promise<Row | undefined> {
  return db.point(sql`select ${columns} from job_scheduler.collections where ${at(tenant, address)}`)
}

export function lock(db: Db, tenant: string, address: CollectionAddress): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from job_scheduler.collections where ${at(tenant, address)} for no key update`)
}

export function lockById(db: Db, { tenant, id }: Pick<Row, 'tenant' | 'id'>): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from job_scheduler.collections where tenant = ${tenant} and id = ${id} for no key update`)
}

export function change(db: Db, { tenant, id }: Row, choices: Choices, now: Date): Promise<Row> {
  const { location, tags, sku, state, quota } = choices
  return db.one(sql`
    update job_scheduler.collections set location = ${location}, tags = ${JSON.stringify(tags)}, sku = ${sku},
      state = ${state}, quota = ${JSON.stringify(quota)}, updated_at = ${now}
    where tenant = ${tenant} and id = ${id} returning ${columns}`)
}

/** Locks the collection until the transaction ends; undefined if it was deleted. */
export function countJobs(db: Db, { tenant, id }: Row, by: 1 | -1): Promise<Row | undefined> {
  return db.maybe(sql`
    update job_scheduler.collections set job_count = job_count + ${by} where tenant = ${tenant} and id = ${id}
    returning ${columns}`)
}

export async function remove(db: Db, { tenant, id }: Row): Promise<void> {
  await db.run(sql`delete from job_scheduler.collections where tenant = ${tenant} and id = ${id}`)
}

/** Lists the collections of a subscription or resource group. */
export function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined): Promise<Page<Row>> {
  return pageInScope<Row>(
    { kind: 'collections', tenant, scope, token },
    ({ jobCollectionName }) => jobCollectionName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from job_scheduler.collections where ${condition} order by group_key, name_key limit ${limit}`),
  )
}
