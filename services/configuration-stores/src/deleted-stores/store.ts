import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type Page, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { keyOf, type StoreAddress } from '../stores/address.ts'
import { type Row, columns as storeColumns } from '../stores/store.ts'

/** A soft-deleted store. */
export interface DeletedRow extends Row {
  readonly deletedAt: Date
  readonly purgeAt: Date
}

const columns = sql`${storeColumns}, deleted_at as "deletedAt", purge_at as "purgeAt"`

type DeletedAddress = Pick<StoreAddress, 'subscriptionId' | 'configStoreName'>

const at = (tenant: string, { subscriptionId, configStoreName }: DeletedAddress): Sql => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and name_key = ${keyOf(configStoreName)}
  and deleted_at is not null`

export function find(db: ReadingDb, tenant: string, address: DeletedAddress): Promise<DeletedRow | undefined> {
  return db.maybe(sql`select ${columns} from configuration_stores.stores where ${at(tenant, address)}`)
}

export function lock(db: Db, tenant: string, address: DeletedAddress): Promise<DeletedRow | undefined> {
  return db.maybe(sql`select ${columns} from configuration_stores.stores where ${at(tenant, address)} for update`)
}

export function list(
  db: ReadingDb,
  tenant: string,
  { subscriptionId }: ListScope,
  token: string | undefined,
): Promise<Page<DeletedRow>> {
  return pageInScope<DeletedRow>(
    { kind: 'deleted stores', tenant, scope: { subscriptionId }, token },
    ({ configStoreName }) => configStoreName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from configuration_stores.stores where ${condition} and deleted_at is not null
        order by group_key, name_key limit ${limit}`),
  )
}

interface Store {
  readonly tenant: string
  readonly id: string
}

/** Marks a store as soft-deleted. */
export async function softDelete(db: Db, { tenant, id }: Store, deletedAt: Date, purgeAt: Date): Promise<void> {
  await db.run(sql`
    update configuration_stores.stores set state = 'Succeeded', deleted_at = ${deletedAt}, purge_at = ${purgeAt}
    where tenant = ${tenant} and id = ${id}`)
}

/** Turns it into a store that is being created. */
export async function recover(db: Db, { tenant, id }: Store): Promise<void> {
  await db.run(sql`
    update configuration_stores.stores set state = 'Creating', deleted_at = null, purge_at = null
    where tenant = ${tenant} and id = ${id}`)
}

/** Claims expired stores for purging: they can no longer be recovered. */
export function claimExpired(db: Db, now: Date, limit: number): Promise<Store[]> {
  return db.many(sql`
    update configuration_stores.stores set state = 'Deleting'
    where (tenant, id) in (
      select tenant, id from configuration_stores.stores
      where deleted_at is not null and purge_at <= ${now} and state <> 'Deleting'
      order by purge_at limit ${limit} for update skip locked)
    returning tenant, id`)
}
