import { type Db, empty, type ReadingDb, readPage, type Sql, sql } from '@icosa/kernel'
import { type DesiredConfiguration, sameLimits } from '../configuration/desired.ts'
import type { Moment } from '../host/store.ts'
import type { PoolSettings } from '../pools/limits.ts'
import type { LicenseType, SampleName, Status, StorageState } from './contract.ts'
import { type DatabaseScope, keyOf, type ServerScope } from './scope.ts'

export interface DatabaseRow extends DatabaseScope, DesiredConfiguration {
  readonly tenant: string
  readonly id: string
  /** The name of the database and of its role on the SQL host. */
  readonly physical: string
  readonly password: Buffer
  readonly location: string
  readonly licenseType: LicenseType | null
  readonly status: Status
  readonly work: string
  readonly operation: string
  /** Of its pool, if any. */
  readonly poolSettings: PoolSettings | null
  readonly currentObjective: string | null
  /** Whether the SQL host has the desired configuration. */
  readonly applied: boolean
  /** As requested; null: the SQL host's default. */
  readonly collation: string | null
  /** The collation on the SQL host; null until it was read. */
  readonly hostCollation: string | null
  /** Id of the database that is copied or restored. */
  readonly source: string | null
  /** With which it began. */
  readonly sample: SampleName | null
  /** The SQL host, and since when it has the database with what it began with, by its own clock. Null until it has. */
  readonly host: string | null
  readonly hostSince: Date | null
  /** By the host's clock: closed for its deletion. */
  readonly droppedAt: Date | null
  /** The name on the host of the database that is restored, and the time to which. */
  readonly restoreSource: string | null
  readonly restoreTime: Date | null
  /** What the archive has of its host. */
  readonly archivedFrom: Date | null
  readonly archivedTo: Date | null
  readonly storage: StorageState
  readonly readOnlyBytes: number
  readonly createdAt: Date
  readonly pausedAt: Date | null
  readonly resumedAt: Date | null
}

/** The oldest and the latest time that can be restored of a host. */
export const archivedOf = (host: Sql) => sql`
  (select min(b.usable_from) from sql_databases.archives as a join sql_databases.archive_bases as b using (epoch)
    where a.system = ${host} and b.usable_from <= a.covered_until) as "archivedFrom",
  (select max(a.covered_until) from sql_databases.archives as a join sql_databases.archive_bases as b using (epoch)
    where a.system = ${host} and b.usable_from <= a.covered_until) as "archivedTo"`

export const columns = sql`tenant, subscription as "subscriptionId", resource_group as "resourceGroupName",
  server as "serverName", name as "databaseName", id, physical, password, location, tags, status, work, operation,
  objective, current_objective as "currentObjective", applied, max_size_bytes::float8 as "maxSizeBytes",
  max_connections as "maxConnections", pool, collation_name as collation, host_collation as "hostCollation", license_type as "licenseType", source, storage,
  read_only_bytes::float8 as "readOnlyBytes", created_at as "createdAt", paused_at as "pausedAt",
  resumed_at as "resumedAt",
  sample, host, host_since as "hostSince", dropped_at as "droppedAt", restore_source as "restoreSource",
  restore_time as "restoreTime", ${archivedOf(sql`databases.host`)},
  (select jsonb_build_object('objective', own.objective, 'maxSizeBytes', own.max_size_bytes,
      'maxConnections', own.max_connections, 'maxCapacity', own.max_capacity)
    from sql_databases.pools as own
    where (own.tenant, own.subscription_key, own.group_key, own.server_key, own.name_key) = (databases.tenant,
      databases.subscription_key, databases.group_key, databases.server_key, databases.pool_key)) as "poolSettings"`

const onServer = (tenant: string, { subscriptionId, resourceGroupName, serverName }: ServerScope) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and server_key = ${keyOf(serverName)}`

const at = (tenant: string, scope: DatabaseScope) =>
  sql`${onServer(tenant, scope)} and name_key = ${keyOf(scope.databaseName)}`

export async function find(db: ReadingDb, tenant: string, scope: DatabaseScope): Promise<DatabaseRow | undefined> {
  return db.point(sql`select ${columns} from sql_databases.databases where ${at(tenant, scope)}`)
}

/** Locks the row until the transaction ends. */
export async function findLocked(db: Db, tenant: string, scope: DatabaseScope): Promise<DatabaseRow | undefined> {
  return db.maybe(sql`select ${columns} from sql_databases.databases where ${at(tenant, scope)} for update`)
}

export interface ListRequest {
  readonly pool?: string
  readonly token?: string | undefined
}

export async function list(db: ReadingDb, tenant: string, scope: ServerScope, { pool, token }: ListRequest) {
  const inPool = pool === undefined ? empty : sql`and pool_key = ${keyOf(pool)}`
  const query = ['databases', tenant, onServer(tenant, scope).values, pool === undefined ? null : keyOf(pool)]
  return readPage<DatabaseRow>(
    { limit: 100, token, query, at: 'query/$skipToken' },
    ({ databaseName }) => [keyOf(databaseName)],
    ([after] = [''], count) =>
      db.many(sql`
        select ${columns} from sql_databases.databases
        where ${onServer(tenant, scope)} ${inPool} and name_key > ${String(after)} order by name_key limit ${count}`),
  )
}

/** The databases of a pool, oldest first. */
export async function membersOf(
  db: ReadingDb,
  tenant: string,
  scope: ServerScope,
  pool: string,
): Promise<DatabaseRow[]> {
  return db.many(sql`
    select ${columns} from sql_databases.databases
    where ${onServer(tenant, scope)} and pool_key = ${keyOf(pool)} order by created_at, id`)
}

export async function countPool(db: ReadingDb, tenant: string, scope: ServerScope, pool: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from sql_databases.databases
    where ${onServer(tenant, scope)} and pool_key = ${keyOf(pool)}`)
  return count
}

export type NewRow = Omit<
  DatabaseRow,
  | 'poolSettings'
  | 'currentObjective'
  | 'applied'
  | 'hostCollation'
  | 'host'
  | 'hostSince'
  | 'droppedAt'
  | 'archivedFrom'
  | 'archivedTo'
  | 'storage'
  | 'readOnlyBytes'
  | 'pausedAt'
  | 'resumedAt'
>

export async function insert(db: Db, row: NewRow): Promise<DatabaseRow> {
  return db.one(sql`
    insert into sql_databases.databases (tenant, subscription_key, group_key, server_key, name_key,
      subscription, resource_group, server, name, id, physical, password, location, tags, status, work, operation,
      objective, max_size_bytes, max_connections, pool, pool_key, collation_name, license_type, source, sample, restore_source,
      restore_time, created_at)
    values (${row.tenant}, ${keyOf(row.subscriptionId)}, ${keyOf(row.resourceGroupName)}, ${keyOf(row.serverName)},
      ${keyOf(row.databaseName)}, ${row.subscriptionId}, ${row.resourceGroupName}, ${row.serverName},
      ${row.databaseName}, ${row.id}, ${row.physical}, ${row.password}, ${row.location}, ${JSON.stringify(row.tags)},
      ${row.status}, ${row.work}, ${row.operation}, ${row.objective}, ${row.maxSizeBytes}, ${row.maxConnections},
      ${row.pool}, ${row.pool === null ? null : keyOf(row.pool)}, ${row.collation}, ${row.licenseType}, ${row.source}, ${row.sample},
      ${row.restoreSource}, ${row.restoreTime}, ${row.createdAt})
    returning ${columns}`)
}

async function change(db: Db, id: string, set: Sql, condition: Sql = empty): Promise<DatabaseRow | undefined> {
  return db.maybe(sql`
    update sql_databases.databases set ${set} where id = ${id} ${condition} returning ${columns}`)
}

export async function setDesired(
  db: Db,
  { id, ...before }: DatabaseRow,
  desired: DesiredConfiguration,
): Promise<DatabaseRow | undefined> {
  const { tags, objective, maxSizeBytes, maxConnections, pool, licenseType } = desired
  return change(
    db,
    id,
    sql`tags = ${JSON.stringify(tags)}, objective = ${objective}, max_size_bytes = ${maxSizeBytes},
      max_connections = ${maxConnections}, pool = ${pool}, pool_key = ${pool === null ? null : keyOf(pool)},
      license_type = ${licenseType}, applied = ${before.applied && sameLimits(before, desired)}`,
  )
}

export async function rename(db: Db, id: string, name: string): Promise<DatabaseRow | undefined> {
  return change(db, id, sql`name = ${name}, name_key = ${keyOf(name)}`)
}

/** An operation on a database; only the latest one may finish. */
export interface Work {
  readonly id: string
  readonly work: string
}

export async function begin(
  db: Db,
  { id, work }: Work,
  status: Status,
  operation: string,
): Promise<DatabaseRow | undefined> {
  return change(db, id, sql`status = ${status}, work = ${work}, operation = ${operation}`)
}

export async function findWork(db: ReadingDb, { id, work }: Work): Promise<DatabaseRow | undefined> {
  return db.maybe(sql`select ${columns} from sql_databases.databases where id = ${id} and work = ${work}`)
}

export async function findById(db: ReadingDb, id: string): Promise<DatabaseRow | undefined> {
  return db.maybe(sql`select ${columns} from sql_databases.databases where id = ${id}`)
}

/** All databases of these tenants, oldest first. */
export async function ofTenants(db: ReadingDb, tenants: readonly string[]): Promise<DatabaseRow[]> {
  return db.many(sql`
    select ${columns} from sql_databases.databases where tenant = any(${tenants}) order by created_at, id`)
}

export async function countOfTenant(db: ReadingDb, tenant: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from sql_databases.databases where tenant = ${tenant}`)
  return count
}

/** Undefined if another operation has started since. */
export async function settle(db: Db, { id, work }: Work, status: Status, more: Sql = empty) {
  return change(db, id, sql`status = ${status} ${more}`, sql`and work = ${work}`)
}

export interface Applied {
  readonly storage: StorageState
  readonly readOnlyBytes: number
  readonly hostCollation: string
  readonly moment: Moment
}

export const applied = ({ storage, readOnlyBytes, hostCollation, moment }: Applied) =>
  sql`, current_objective = objective, applied = true, storage = ${storage}, dropped_at = null,
    read_only_bytes = ${Math.trunc(readOnlyBytes)}, host_collation = ${hostCollation}, ${seenOn(moment)}`

/** Binds a database to its host. On another one it begins anew: the archive of the former says nothing of it. */
export const seenOn = ({ system, at }: Moment) => sql`
  host = ${system}, host_since = case when host = ${system} then host_since else ${at}::timestamptz end`

export const pausedAt = (now: Date) => sql`, paused_at = ${now}, resumed_at = null`
export const resumedAt = (now: Date) => sql`, resumed_at = ${now}, paused_at = null`

/** Records when a database was closed for its deletion, unless an earlier attempt did. */
export async function setDropped(db: Db, { id, work }: Work, { system, at }: Moment): Promise<void> {
  await db.run(sql`
    update sql_databases.databases set dropped_at = ${at}
    where id = ${id} and work = ${work} and host = ${system} and dropped_at is null`)
}

export async function remove(db: Db, { id, work }: Work): Promise<boolean> {
  return (await db.run(sql`delete from sql_databases.databases where id = ${id} and work = ${work}`)) === 1
}

export interface Installation {
  /** The PostgreSQL server and the name of the platform's database. */
  readonly system: string
  readonly oid: string
  readonly name: string
  /** Prefix of all its names on a SQL host. */
  readonly prefix: string
}

/**
 * The platform's database identifies the installation: a row in it would also exist in a copy of the database, and two
 * installations would drop each other's databases.
 */
export async function installation(db: ReadingDb): Promise<Installation> {
  return db.one(sql`
    select system_identifier::text as system, oid::text as oid, datname as name,
      'icosa_sql_' || left(md5(system_identifier || '/' || oid), 16) || '_' as prefix
    from pg_database, pg_control_system() where datname = current_database()`)
}
