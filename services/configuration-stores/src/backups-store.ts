import { type Db, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'
import { keyOf, type StoreAddress } from './stores/address.ts'
import type { Row } from './stores/store.ts'

const table = (name: string) => `configuration_stores.${name}`
export const accessKeyTable = table('access_keys')

const address = ['tenant', 'id', 'subscription_key', 'group_key', 'name_key', 'subscription', 'resource_group', 'name']
/** Columns set on restore. */
const setOnRestore = [
  ...[...address, 'tags'],
  ...['key_identifier', 'data_key', 'wrapped_by', 'wrapped_data_key', 'reencrypting'],
]

/** A store with its contents, without private endpoint connections, which depend on the location. */
export function rowsOf({ tenant, id }: Row): RowsOf[] {
  const ofStore = sql`tenant = ${tenant} and store = ${id}`
  const parts: readonly (readonly [string, string])[] = [
    ['access_keys', 'position'],
    ['revisions', 'number'],
    ['snapshots', 'name'],
    ['snapshot_items', 'snapshot, key, label'],
  ]
  return [
    ownRows(table('stores'), sql`tenant = ${tenant} and id = ${id}`, 'id', setOnRestore),
    ...parts.map(([name, order]) => ownRows(table(name), ofStore, order, ['tenant', 'store'])),
  ]
}

/** Tables with values. */
export const valueTables = ['revisions', 'snapshot_items'].map(table)

/** In the order of their foreign keys. */
export const tables = ['access_keys', 'revisions', 'snapshots', 'snapshot_items'].map(table)
export const storeTable = table('stores')

export const ownColumns = (tenant: string, id: string, address: StoreAddress) => ({
  tenant,
  id,
  subscription_key: keyOf(address.subscriptionId),
  group_key: keyOf(address.resourceGroupName),
  name_key: keyOf(address.configStoreName),
  subscription: address.subscriptionId,
  resource_group: address.resourceGroupName,
  name: address.configStoreName,
})

/** Whether any tenant has a store with this name: names are part of URLs. */
export async function isTaken(db: Db, name: string): Promise<boolean> {
  return (
    (await db.maybe(sql`select 1 from configuration_stores.stores where name_key = ${keyOf(name)} for update`)) !==
    undefined
  )
}
