import { pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { keyOf, type ServerScope } from '../databases/scope.ts'

export interface ServerRow extends ServerScope {
  readonly tenant: string
  readonly location: string
  readonly tags: Readonly<Record<string, string>>
  readonly createdAt: Date
}

const columns = sql`tenant, subscription as "subscriptionId", resource_group as "resourceGroupName",
  name as "serverName", location, tags, created_at as "createdAt"`

const at = (tenant: string, { subscriptionId, resourceGroupName, serverName }: ServerScope) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and server_key = ${keyOf(serverName)}`

export async function find(db: ReadingDb, tenant: string, scope: ServerScope): Promise<ServerRow | undefined> {
  return db.point(sql`select ${columns} from sql_databases.servers where ${at(tenant, scope)}`)
}

/** Locks the row until the transaction ends. */
export async function findLocked(db: Db, tenant: string, scope: ServerScope): Promise<ServerRow | undefined> {
  return db.maybe(sql`select ${columns} from sql_databases.servers where ${at(tenant, scope)} for update`)
}

/** Undefined if it exists. */
export async function insert(db: Db, row: ServerRow): Promise<ServerRow | undefined> {
  const { tenant, subscriptionId, resourceGroupName, serverName, location, tags, createdAt } = row
  return db.maybe(sql`
    insert into sql_databases.servers (tenant, subscription_key, group_key, server_key, subscription, resource_group,
      name, location, tags, created_at)
    values (${tenant}, ${keyOf(subscriptionId)}, ${keyOf(resourceGroupName)}, ${keyOf(serverName)}, ${subscriptionId},
      ${resourceGroupName}, ${serverName}, ${location}, ${JSON.stringify(tags)}, ${createdAt})
    on conflict do nothing returning ${columns}`)
}

export async function setTags(db: Db, row: ServerRow, tags: ServerRow['tags']): Promise<ServerRow> {
  return db.one(sql`
    update sql_databases.servers set tags = ${JSON.stringify(tags)} where ${at(row.tenant, row)} returning ${columns}`)
}

export async function remove(db: Db, row: ServerRow): Promise<void> {
  await db.run(sql`delete from sql_databases.servers where ${at(row.tenant, row)}`)
}

/** Numbers of resources on a server. */
export interface Contents {
  readonly databases: number
  readonly pools: number
}

export async function contentsOf(db: ReadingDb, { tenant, ...scope }: ServerRow): Promise<Contents> {
  return db.one(sql`
    select (select count(*)::int from sql_databases.databases where ${at(tenant, scope)}) as databases,
      (select count(*)::int from sql_databases.pools where ${at(tenant, scope)}) as pools`)
}

export type ListScope = Pick<ServerScope, 'subscriptionId'> & Partial<Pick<ServerScope, 'resourceGroupName'>>

export async function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined) {
  return pageInScope<ServerRow>(
    { kind: 'servers', tenant, scope, token },
    ({ serverName }) => serverName,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from sql_databases.servers
        where ${condition} order by group_key, name_key limit ${limit}`),
  )
}
