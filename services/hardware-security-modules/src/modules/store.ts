import { randomUUID } from 'node:crypto'
import { keyOf } from '@icosa/dialects/arm/names'
import { type ListScope, pageInScope } from '@icosa/dialects/arm/page'
import { type Db, type Page, type ReadingDb, sql } from '@icosa/kernel'
import type { NetworkProfile } from './contract.ts'

export interface ModuleAddress {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly name: string
}

/** Properties that callers set; the token does not depend on them. */
export interface Choices {
  readonly tags: Readonly<Record<string, string>>
  readonly zones: readonly string[]
  readonly stampId: string | null
  readonly networkProfile: NetworkProfile | null
}

export type State = 'Provisioning' | 'Succeeded' | 'Failed' | 'Deleting'

export interface Row extends ModuleAddress, Choices {
  readonly tenant: string
  readonly id: string
  readonly location: string
  readonly state: State
  readonly statusMessage: string
  readonly createdAt: Date
}

const columns = sql`tenant, id, subscription as "subscriptionId", resource_group as "resourceGroupName", name, location,
  tags, zones, stamp_id as "stampId", network_profile as "networkProfile", state, status_message as "statusMessage",
  created_at as "createdAt"`

const at = (tenant: string, { subscriptionId, resourceGroupName, name }: ModuleAddress) => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and name_key = ${keyOf(name)}`

/** Returns undefined if the name is taken. */
export function insert(
  db: Db,
  tenant: string,
  address: ModuleAddress,
  { location, tags, zones, stampId, networkProfile }: Choices & { readonly location: string },
  status: Pick<Row, 'state' | 'statusMessage'>,
  now: Date,
): Promise<Row | undefined> {
  const { subscriptionId, resourceGroupName, name } = address
  return db.maybe(sql`
    insert into hardware_security_modules.modules (tenant, subscription_key, group_key, name_key, subscription,
      resource_group, name, id, location, tags, zones, stamp_id, network_profile, state, status_message, created_at)
    values (${tenant}, ${keyOf(subscriptionId)}, ${keyOf(resourceGroupName)}, ${keyOf(name)}, ${subscriptionId},
      ${resourceGroupName}, ${name}, ${randomUUID()}, ${location}, ${JSON.stringify(tags)}, ${JSON.stringify(zones)},
      ${stampId}, ${networkProfile && JSON.stringify(networkProfile)}, ${status.state}, ${status.statusMessage}, ${now})
    on conflict do nothing returning ${columns}`)
}

/** Counts a tenant's modules, and serializes counting until the transaction ends. */
export async function countLocked(db: Db, tenant: string): Promise<number> {
  await db.one(sql`select pg_advisory_xact_lock(hashtextextended(${`hardware_security_modules ${tenant}`}, 0))`)
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from hardware_security_modules.modules where tenant = ${tenant}`)
  return count
}

export function find(db: ReadingDb, tenant: string, address: ModuleAddress): Promise<Row | undefined> {
  return db.point(sql`select ${columns} from hardware_security_modules.modules where ${at(tenant, address)}`)
}

export function lock(db: Db, tenant: string, address: ModuleAddress): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from hardware_security_modules.modules where ${at(tenant, address)} for update`)
}

interface Work {
  readonly tenant: string
  readonly id: string
}

export function lockById(db: Db, { tenant, id }: Work): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from hardware_security_modules.modules where tenant = ${tenant} and id = ${id} for update`)
}

export function findById(db: ReadingDb, { tenant, id }: Work): Promise<Row | undefined> {
  return db.maybe(sql`
    select ${columns} from hardware_security_modules.modules where tenant = ${tenant} and id = ${id}`)
}

export function change(db: Db, { tenant, id }: Work, { tags, zones, stampId, networkProfile }: Choices): Promise<Row> {
  return db.one(sql`
    update hardware_security_modules.modules set tags = ${JSON.stringify(tags)}, zones = ${JSON.stringify(zones)},
      stamp_id = ${stampId}, network_profile = ${networkProfile && JSON.stringify(networkProfile)}
    where tenant = ${tenant} and id = ${id} returning ${columns}`)
}

export function setState(db: Db, { tenant, id }: Work, state: State, statusMessage: string): Promise<Row> {
  return db.one(sql`
    update hardware_security_modules.modules set state = ${state}, status_message = ${statusMessage}
    where tenant = ${tenant} and id = ${id} returning ${columns}`)
}

export async function setToken(db: Db, { tenant, id }: Work, token: Buffer): Promise<void> {
  await db.run(sql`
    update hardware_security_modules.modules set token = ${token} where tenant = ${tenant} and id = ${id}`)
}

export async function sealedToken(db: ReadingDb, { tenant, id }: Work): Promise<Buffer | undefined> {
  const row = await db.maybe<{ token: Buffer | null }>(sql`
    select token from hardware_security_modules.modules where tenant = ${tenant} and id = ${id}`)
  return row?.token ?? undefined
}

/** Deletes a module with its keys; the audit trail stays. */
export async function remove(db: Db, { tenant, id }: Work): Promise<void> {
  await db.run(sql`delete from hardware_security_modules.keys where tenant = ${tenant} and module = ${id}`)
  await db.run(sql`delete from hardware_security_modules.modules where tenant = ${tenant} and id = ${id}`)
}

/** Returns which of these modules and keys still exist. */
export async function existingIds(
  db: ReadingDb,
  modules: readonly string[],
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select id from hardware_security_modules.modules where id = any(${modules}::uuid[]) and state = 'Succeeded'
    union all select id from hardware_security_modules.keys where id = any(${keys}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** A module as found by its id, of any tenant. */
export interface OpenModule {
  readonly tenant: string
  readonly id: string
  readonly name: string
  readonly state: State
  readonly statusMessage: string
}

export function findOpen(db: ReadingDb, id: string): Promise<OpenModule | undefined> {
  return db.maybe(sql`
    select tenant, id, name, state, status_message as "statusMessage" from hardware_security_modules.modules
    where id = ${id}`)
}

/** The modules of a subscription, or of one group of it. */
export function list(db: ReadingDb, tenant: string, scope: ListScope, token: string | undefined): Promise<Page<Row>> {
  return pageInScope<Row>(
    { kind: 'modules', tenant, scope, token },
    ({ name }) => name,
    (condition, limit) =>
      db.many(sql`
        select ${columns} from hardware_security_modules.modules where ${condition}
        order by group_key, name_key limit ${limit}`),
  )
}

/** Names of some of a tenant's modules. */
export async function moduleNames(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ name: string }>(
    sql`select name from hardware_security_modules.modules where tenant = ${tenant} order by name limit 5`,
  )
  return rows.map(({ name }) => name)
}
