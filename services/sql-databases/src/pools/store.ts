import { type Db, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { LicenseType } from '../databases/contract.ts'
import { keyOf, type ServerScope } from '../databases/scope.ts'
import type { PoolSettings } from './limits.ts'

export interface PoolScope extends ServerScope {
  readonly elasticPoolName: string
}

/** The configurable and mutable part of a pool. */
export interface DesiredPool extends PoolSettings {
  readonly tags: Readonly<Record<string, string>>
  readonly licenseType: LicenseType | null
}

export interface PoolRow extends PoolScope, DesiredPool {
  readonly tenant: string
  readonly location: string
  /** The latest, if any. */
  readonly operation: string | null
  readonly createdAt: Date
}

const columns = sql`tenant, subscription as "subscriptionId", resource_group as "resourceGroupName",
  server as "serverName", name as "elasticPoolName", location, tags, objective, max_size_bytes::float8 as "maxSizeBytes",
  max_connections as "maxConnections", max_capacity as "maxCapacity", license_type as "licenseType", operation,
  created_at as "createdAt"`

const onServer = (tenant: string, { subscriptionId, resourceGroupName, serverName }: ServerScope) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and server_key = ${keyOf(serverName)}`

const at = (tenant: string, scope: PoolScope) =>
  sql`${onServer(tenant, scope)} and name_key = ${keyOf(scope.elasticPoolName)}`

export async function find(db: ReadingDb, tenant: string, scope: PoolScope): Promise<PoolRow | undefined> {
  return db.point(sql`select ${columns} from sql_databases.pools where ${at(tenant, scope)}`)
}

export async function list(db: ReadingDb, tenant: string, scope: ServerScope, token: string | undefined) {
  return readPage<PoolRow>(
    { limit: 100, token, query: ['pools', tenant, onServer(tenant, scope).values], at: 'query/$skipToken' },
    ({ elasticPoolName }) => [keyOf(elasticPoolName)],
    ([after] = [''], count) =>
      db.many(sql`
        select ${columns} from sql_databases.pools
        where ${onServer(tenant, scope)} and name_key > ${String(after)} order by name_key limit ${count}`),
  )
}

/** The caller has locked the server and checked that the pool does not exist. */
export async function insert(db: Db, row: Omit<PoolRow, 'operation'>): Promise<PoolRow> {
  return db.one(sql`
    insert into sql_databases.pools (tenant, subscription_key, group_key, server_key, name_key, subscription,
      resource_group, server, name, location, tags, objective, max_size_bytes, max_connections, max_capacity,
      license_type, created_at)
    values (${row.tenant}, ${keyOf(row.subscriptionId)}, ${keyOf(row.resourceGroupName)}, ${keyOf(row.serverName)},
      ${keyOf(row.elasticPoolName)}, ${row.subscriptionId}, ${row.resourceGroupName}, ${row.serverName},
      ${row.elasticPoolName}, ${row.location}, ${JSON.stringify(row.tags)}, ${row.objective}, ${row.maxSizeBytes},
      ${row.maxConnections}, ${row.maxCapacity}, ${row.licenseType}, ${row.createdAt})
    returning ${columns}`)
}

export async function setDesired(db: Db, row: PoolRow, desired: DesiredPool): Promise<PoolRow> {
  const { tags, objective, maxSizeBytes, maxConnections, maxCapacity, licenseType } = desired
  return db.one(sql`
    update sql_databases.pools set tags = ${JSON.stringify(tags)}, objective = ${objective},
      max_size_bytes = ${maxSizeBytes}, max_connections = ${maxConnections}, max_capacity = ${maxCapacity},
      license_type = ${licenseType}
    where ${at(row.tenant, row)} returning ${columns}`)
}

export async function setOperation(db: Db, row: PoolRow, operation: string): Promise<void> {
  await db.run(sql`update sql_databases.pools set operation = ${operation} where ${at(row.tenant, row)}`)
}

export async function remove(db: Db, row: PoolRow): Promise<void> {
  await db.run(sql`delete from sql_databases.pools where ${at(row.tenant, row)}`)
}
