import { type Db, type ReadingDb, readPage, sql } from '@icosa/kernel'
import { dayMs, maxShortDays, shortObjectives } from '../configuration/retention.ts'
import type { LicenseType } from '../databases/contract.ts'
import { type DatabaseScope, keyOf, type ServerScope } from '../databases/scope.ts'
import { archivedOf, type Work } from '../databases/store.ts'
import type { Archived } from './window.ts'

/** A deleted database. */
export interface DroppedRow extends DatabaseScope, Archived {
  readonly id: string
  readonly physical: string
  readonly location: string
  readonly maxSizeBytes: number | null
  readonly maxConnections: number | null
  readonly pool: string | null
  readonly collation: string | null
  readonly hostCollation: string | null
  readonly licenseType: LicenseType | null
  readonly createdAt: Date
  readonly droppedAt: Date
}

const columns = sql`id, subscription as "subscriptionId", resource_group as "resourceGroupName", server as "serverName",
  name as "databaseName", physical, host, host_since as "hostSince", location, objective,
  max_size_bytes::float8 as "maxSizeBytes", max_connections as "maxConnections", pool, collation_name as collation,
  host_collation as "hostCollation", license_type as "licenseType", created_at as "createdAt", dropped_at as "droppedAt",
  ${archivedOf(sql`dropped_databases.host`)}`

/** Keeps what is needed to restore a database, before its row is deleted. One that was never archived cannot be restored. */
export async function keep(db: Db, { id, work }: Work): Promise<void> {
  await db.run(sql`
    insert into sql_databases.dropped_databases (tenant, id, subscription_key, group_key, server_key, name_key, subscription,
      resource_group, server, name, physical, host, host_since, location, objective, max_size_bytes, max_connections, pool,
      collation_name, host_collation, license_type, created_at, dropped_at)
    select tenant, id, subscription_key, group_key, server_key, name_key, subscription, resource_group, server, name,
      physical, host, host_since, location, objective, max_size_bytes, max_connections, pool, collation_name, host_collation,
      license_type, created_at, dropped_at
    from sql_databases.databases
    where id = ${id} and work = ${work} and host is not null and dropped_at is not null`)
}

const onServer = (tenant: string, { subscriptionId, resourceGroupName, serverName }: ServerScope) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and server_key = ${keyOf(serverName)}`

export async function list(db: ReadingDb, tenant: string, scope: ServerScope, token: string | undefined) {
  return readPage<DroppedRow>(
    { limit: 100, token, query: ['dropped', tenant, onServer(tenant, scope).values], at: 'query/$skipToken' },
    ({ databaseName, droppedAt }) => [keyOf(databaseName), droppedAt.toISOString()],
    ([name, at] = ['', '-infinity'], count) =>
      db.many(sql`
        select ${columns} from sql_databases.dropped_databases
        where ${onServer(tenant, scope)} and (name_key, dropped_at) > (${String(name)}, ${String(at)}::timestamptz)
        order by name_key, dropped_at limit ${count}`),
  )
}

/** A name may have been used again: the time of deletion tells which one. */
export async function find(
  db: ReadingDb,
  tenant: string,
  scope: DatabaseScope,
  droppedAt: Date,
): Promise<DroppedRow | undefined> {
  return db.maybe(sql`
    select ${columns} from sql_databases.dropped_databases
    where ${onServer(tenant, scope)} and name_key = ${keyOf(scope.databaseName)} and dropped_at = ${droppedAt}`)
}

/** Forgets databases that can no longer be restored. */
export async function removeExpired(db: Db, now: Date, retentionDays: number): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  await db.run(sql`
    delete from sql_databases.dropped_databases where dropped_at < ${before(retentionDays)}
      or dropped_at < ${before(maxShortDays)} and objective = any(${[...shortObjectives]}::text[])`)
}
