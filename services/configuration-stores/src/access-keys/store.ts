import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { keyOf } from '../stores/address.ts'
import type { Sku } from '../stores/store.ts'
import type { SealedKey } from './secrets.ts'

export interface Row extends SealedKey {
  readonly modifiedAt: Date
}

interface Store {
  readonly tenant: string
  readonly id: string
}

const columns = sql`id, name, read_only as "readOnly", secret as sealed, modified_at as "modifiedAt"`

export async function insert(db: Db, { tenant, id }: Store, keys: readonly SealedKey[], now: Date): Promise<void> {
  for (const [position, key] of keys.entries())
    await db.run(sql`
      insert into configuration_stores.access_keys (tenant, store, id, name, read_only, position, secret, modified_at)
      values (${tenant}, ${id}, ${key.id}, ${key.name}, ${key.readOnly}, ${position}, ${key.sealed}, ${now})`)
}

export function list(db: ReadingDb, { tenant, id }: Store): Promise<Row[]> {
  return db.many(sql`
    select ${columns} from configuration_stores.access_keys where tenant = ${tenant} and store = ${id}
    order by position`)
}

export function replaceSecret(
  db: Db,
  { tenant, id }: Store,
  keyId: string,
  secret: Buffer,
  now: Date,
): Promise<Row | undefined> {
  return db.maybe(sql`
    update configuration_stores.access_keys set secret = ${secret}, modified_at = ${now}
    where tenant = ${tenant} and store = ${id} and id = ${keyId} returning ${columns}`)
}

/** An access key with its store. */
export interface KeyOfStore {
  readonly tenant: string
  readonly store: string
  readonly sku: Sku
  readonly publicNetworkAccess: boolean
  readonly disableLocalAuth: boolean
  /** Private endpoints with approved connections. */
  readonly endpoints: readonly string[]
  /** Whether new values are encrypted. */
  readonly encrypts: boolean
  readonly dataKey: string | null
  readonly wrappedBy: string | null
  readonly wrapped: Buffer | null
  readonly id: string
  readonly readOnly: boolean
  readonly sealed: Buffer
}

/** Returns the keys of the store with this name, of any tenant; none unless it is available. */
export function keysOf(db: ReadingDb, name: string): Promise<KeyOfStore[]> {
  return db.many(sql`
    select s.tenant, s.id as store, s.sku, s.public_network_access as "publicNetworkAccess",
      s.disable_local_auth as "disableLocalAuth", array(
        select endpoint from configuration_stores.private_endpoint_connections c
        where c.tenant = s.tenant and c.store = s.id and status = 'Approved' and endpoint is not null) as endpoints,
      s.key_identifier is not null as encrypts, s.data_key as "dataKey", s.wrapped_by as "wrappedBy",
      s.wrapped_data_key as wrapped, k.id, k.read_only as "readOnly", k.secret as sealed
    from configuration_stores.stores s
    join configuration_stores.access_keys k on k.tenant = s.tenant and k.store = s.id
    where s.name_key = ${keyOf(name)} and s.state in ('Succeeded', 'Updating') and s.deleted_at is null`)
}
