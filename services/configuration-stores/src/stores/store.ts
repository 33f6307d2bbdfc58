import { randomUUID } from 'node:crypto'
import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type Page, type ReadingDb, sql } from '@icosa/kernel'
import { keyOf, type StoreAddress } from './address.ts'
import type { Encryption, Identity, ProvisioningState } from './contract.ts'

export type Sku = 'Free' | 'Standard'

/** What a caller decides about a store. */
export interface Choices {
  readonly sku: Sku
  readonly tags: Readonly<Record<string, string>>
  readonly identity: Identity | null
  readonly encryption: Encryption | null
}

export interface Row extends StoreAddress, Choices {
  readonly tenant: string
  readonly id: string
  readonly location: string
  readonly state: ProvisioningState
  readonly createdAt: Date
}

const columns = sql`tenant, id, subscription as "subscriptionId", resource_group as "resourceGroupName",
  name as "configStoreName", location, sku, tags, identity, encryption, state, created_at as "createdAt"`

const at = (tenant: string, { subscriptionId, resourceGroupName, configStoreName }: StoreAddress) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and name_key = ${keyOf(configStoreName)}`

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** Undefined if the name is taken, by whomever. */
export function insert(
  db: Db,
  tenant: string,
  address: StoreAddress,
  { location, sku, tags, identity, encryption }: Choices & { readonly location: string },
  now: Date,
): Promise<Row | undefined> {
  const { subscriptionId, resourceGroupName, configStoreName } = address
  return db.maybe(sql`
    insert into configuration_stores.stores (tenant, subscription_key, group_key, name_key, subscription,
      resource_group, name, id, location, sku, tags, identity, encryption, state, created_at)
    values (${tenant}, ${keyOf(subscriptionId)}, ${keyOf(resourceGroupName)}, ${keyOf(configStoreName)},
      ${subscriptionId}, ${resourceGroupName}, ${configStoreName}, ${randomUUID()}, ${location}, ${sku},
      ${json(tags)}, ${json(identity)}, ${json(encryption)}, 'Creating', ${now})
    on conflict do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, address: StoreAddress): Promise<Row | undefined> {
  return db.point(sql`select ${columns} from configuration_stores.stores where ${at(tenant, address)}`)
}

/** No other request or job changes it until the transaction ends. */
export function lock(db: Db, tenant: string, address: StoreAddress): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from configuration_stores.stores where ${at(tenant, address)} for update`)
}

export function lockById(db: Db, tenant: string, id: string): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from configuration_stores.stores where tenant = ${tenant} and id = ${id} for update`)
}

export function change(db: Db, { tenant, id }: Row, { sku, tags, identity, encryption }: Choices): Promise<Row> {
  return db.one(sql`
    update configuration_stores.stores set sku = ${sku}, tags = ${json(tags)}, identity = ${json(identity)},
      encryption = ${json(encryption)}
    where tenant = ${tenant} and id = ${id} returning ${columns}`)
}

export function setState(db: Db, { tenant, id }: Pick<Row, 'tenant' | 'id'>, state: ProvisioningState): Promise<Row> {
  return db.one(sql`
    update configuration_stores.stores set state = ${state} where tenant = ${tenant} and id = ${id}
    returning ${columns}`)
}

/** What is left of its rows goes with it. */
export async function remove(db: Db, { tenant, id }: Pick<Row, 'tenant' | 'id'>): Promise<void> {
  await db.run(sql`delete from configuration_stores.stores where tenant = ${tenant} and id = ${id}`)
}

export async function isTaken(db: ReadingDb, name: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 from configuration_stores.stores where name_key = ${keyOf(name)}`)) !== undefined
}

/** The stores of a subscription, or of one group of it. */
export function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined): Promise<Page<Row>> {
  return pageInScope<Row>(
    { kind: 'stores', tenant, scope, token },
    ({ configStoreName }) => configStoreName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from configuration_stores.stores where ${condition} order by group_key, name_key limit ${limit}`),
  )
}
