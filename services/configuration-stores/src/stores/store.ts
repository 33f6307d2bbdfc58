import { randomUUID } from 'node:crypto'
import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type Page, type ReadingDb, raw, sql } from '@icosa/kernel'
import type { WrappedKey } from '../encryption/data-keys.ts'
import { keyOf, type StoreAddress } from './address.ts'
import type { ProvisioningState } from './contract.ts'

export type Sku = 'Free' | 'Standard'

/** Access and deletion settings. */
export interface Switches {
  readonly publicNetworkAccess: boolean
  readonly disableLocalAuth: boolean
  /** Retention after deletion; null if it is deleted permanently. */
  readonly retentionDays: number | null
  readonly purgeProtection: boolean
}

/** The customer-managed key, and the data key that it wraps. */
export interface Encryption {
  /** Null if new values are stored in plaintext. */
  readonly keyIdentifier: string | null
  /** Null if no value is encrypted. */
  readonly dataKey: string | null
  readonly wrappedBy: string | null
  readonly wrapped: Buffer | null
  /** Whether some values may still have to be converted. */
  readonly reencrypting: boolean
}

/** Properties chosen by the caller. */
export interface Choices extends Switches, Encryption {
  readonly sku: Sku
  readonly tags: Readonly<Record<string, string>>
}

export interface Row extends StoreAddress, Choices {
  readonly tenant: string
  readonly id: string
  readonly location: string
  readonly state: ProvisioningState
  readonly createdAt: Date
}

export const columns = sql`tenant, id, subscription as "subscriptionId", resource_group as "resourceGroupName",
  name as "configStoreName", location, sku, tags,
  public_network_access as "publicNetworkAccess", disable_local_auth as "disableLocalAuth",
  retention_days as "retentionDays", purge_protection as "purgeProtection", key_identifier as "keyIdentifier",
  data_key as "dataKey", wrapped_by as "wrappedBy", wrapped_data_key as wrapped, reencrypting, state,
  created_at as "createdAt"`

/** Returns the wrapped data key of a store, if any. */
export function wrappedKeyOf({
  dataKey,
  wrappedBy,
  wrapped,
}: Pick<Encryption, 'dataKey' | 'wrappedBy' | 'wrapped'>): WrappedKey | undefined {
  return dataKey !== null && wrappedBy !== null && wrapped !== null ? { dataKey, wrappedBy, wrapped } : undefined
}

const at = (tenant: string, { subscriptionId, resourceGroupName, configStoreName }: StoreAddress) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and name_key = ${keyOf(configStoreName)} and deleted_at is null`

/** Returns undefined if any tenant uses the name. */
export function insert(
  db: Db,
  tenant: string,
  address: StoreAddress,
  { location, sku, tags, ...switches }: Choices & { readonly location: string },
  now: Date,
): Promise<Row | undefined> {
  const { subscriptionId, resourceGroupName, configStoreName } = address
  const { publicNetworkAccess, disableLocalAuth, retentionDays, purgeProtection } = switches
  const { keyIdentifier, dataKey, wrappedBy, wrapped } = switches
  return db.maybe(sql`
    insert into configuration_stores.stores (tenant, subscription_key, group_key, name_key, subscription,
      resource_group, name, id, location, sku, tags, public_network_access, disable_local_auth, retention_days,
      purge_protection, key_identifier, data_key, wrapped_by, wrapped_data_key, state, created_at)
    values (${tenant}, ${keyOf(subscriptionId)}, ${keyOf(resourceGroupName)}, ${keyOf(configStoreName)},
      ${subscriptionId}, ${resourceGroupName}, ${configStoreName}, ${randomUUID()}, ${location}, ${sku},
      ${JSON.stringify(tags)}, ${publicNetworkAccess}, ${disableLocalAuth}, ${retentionDays}, ${purgeProtection},
      ${keyIdentifier}, ${dataKey}, ${wrappedBy}, ${wrapped}, 'Creating', ${now})
    on conflict do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, address: StoreAddress): Promise<Row | undefined> {
  return db.point(sql`select ${columns} from configuration_stores.stores where ${at(tenant, address)}`)
}

export function lock(db: Db, tenant: string, address: StoreAddress): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from configuration_stores.stores where ${at(tenant, address)} for update`)
}

export function findById(db: ReadingDb, tenant: string, id: string): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from configuration_stores.stores where tenant = ${tenant} and id = ${id}`)
}

export function lockById(db: Db, tenant: string, id: string): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from configuration_stores.stores where tenant = ${tenant} and id = ${id} for update`)
}

export function change(db: Db, { tenant, id }: Row, { sku, tags, ...switches }: Choices): Promise<Row> {
  const { publicNetworkAccess, disableLocalAuth, retentionDays, purgeProtection } = switches
  const { keyIdentifier, dataKey, wrappedBy, wrapped, reencrypting } = switches
  return db.one(sql`
    update configuration_stores.stores set sku = ${sku}, tags = ${JSON.stringify(tags)},
      public_network_access = ${publicNetworkAccess}, disable_local_auth = ${disableLocalAuth},
      retention_days = ${retentionDays}, purge_protection = ${purgeProtection}, key_identifier = ${keyIdentifier},
      data_key = ${dataKey}, wrapped_by = ${wrappedBy}, wrapped_data_key = ${wrapped}, reencrypting = ${reencrypting}
    where tenant = ${tenant} and id = ${id} returning ${columns}`)
}

export function setState(db: Db, { tenant, id }: Pick<Row, 'tenant' | 'id'>, state: ProvisioningState): Promise<Row> {
  return db.one(sql`
    update configuration_stores.stores set state = ${state} where tenant = ${tenant} and id = ${id}
    returning ${columns}`)
}

/** Marks conversion as finished, and drops the data key of a store without a key. */
export async function settleEncryption(db: Db, { tenant, id }: Pick<Row, 'tenant' | 'id'>): Promise<void> {
  const ifEncrypted = (column: string) => sql`case when key_identifier is not null then ${raw(column)} end`
  await db.run(sql`
    update configuration_stores.stores set reencrypting = false, data_key = ${ifEncrypted('data_key')},
      wrapped_by = ${ifEncrypted('wrapped_by')}, wrapped_data_key = ${ifEncrypted('wrapped_data_key')}
    where tenant = ${tenant} and id = ${id} and reencrypting`)
}

/** Remaining rows are deleted by cascade. */
export async function remove(db: Db, { tenant, id }: Pick<Row, 'tenant' | 'id'>): Promise<void> {
  await db.run(sql`delete from configuration_stores.stores where tenant = ${tenant} and id = ${id}`)
}

export async function isTaken(db: ReadingDb, name: string): Promise<boolean> {
  return (await db.maybe(sql`select 1 from configuration_stores.stores where name_key = ${keyOf(name)}`)) !== undefined
}

/** Lists the stores of a subscription or resource group. */
export function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined): Promise<Page<Row>> {
  return pageInScope<Row>(
    { kind: 'stores', tenant, scope, token },
    ({ configStoreName }) => configStoreName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from configuration_stores.stores where ${condition} and deleted_at is null
        order by group_key, name_key limit ${limit}`),
  )
}
