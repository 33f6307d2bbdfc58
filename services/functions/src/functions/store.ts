import { type Db, type Page, type ReadingDb, readPage, type Sql, sql } from '@icosa/kernel'
import type { Desired } from './desired.ts'

/** Identifies a function within a tenant. */
export interface Place {
  readonly project: string
  readonly location: string
  readonly function: string
}

export const placeOf = ({ project, location, function: id }: Place) => ({ project, location, function: id })

export type State = 'ACTIVE' | 'FAILED' | 'DEPLOYING' | 'DELETING'

export interface StateMessage {
  readonly severity: 'ERROR' | 'WARNING' | 'INFO'
  readonly type: string
  readonly message: string
}

export interface FunctionRow extends Place {
  readonly tenant: string
  readonly desired: Desired
  readonly state: State
  readonly stateMessages: readonly StateMessage[]
  readonly address: string
  /** Serving revision. */
  readonly revision: string | null
  /** Number of the latest deployment. */
  readonly number: number
  readonly operation: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = sql`tenant, subscription_key as project, location, name_key as function, desired, state,
  state_messages as "stateMessages", address, revision, number, operation, created_at as "createdAt",
  updated_at as "updatedAt"`

const at = (tenant: string, { project, location, function: id }: Place): Sql => sql`
  tenant = ${tenant} and subscription_key = ${project} and location = ${location} and name_key = ${id}`

export function find(db: ReadingDb, tenant: string, place: Place): Promise<FunctionRow | undefined> {
  return db.point(sql`select ${columns} from functions.functions where ${at(tenant, place)}`)
}

export function findLocked(db: Db, tenant: string, place: Place): Promise<FunctionRow | undefined> {
  return db.maybe(sql`select ${columns} from functions.functions where ${at(tenant, place)} for update`)
}

export interface NewFunction extends Place {
  readonly tenant: string
  readonly desired: Desired
  readonly address: string
  readonly operation: string
  readonly now: Date
}

/** Undefined if it already exists. */
export function insert(db: Db, row: NewFunction): Promise<FunctionRow | undefined> {
  const { tenant, project, location, function: id, desired, address, operation, now } = row
  return db.maybe(sql`
    insert into functions.functions (tenant, subscription_key, location, name_key, desired, state, address, number,
      operation, created_at, updated_at)
    values (${tenant}, ${project}, ${location}, ${id}, ${JSON.stringify(desired)}, 'DEPLOYING', ${address}, 1,
      ${operation}, ${now}, ${now})
    on conflict do nothing returning ${columns}`)
}

export interface Change {
  readonly desired: Desired
  readonly number: number
  readonly operation: string
  readonly now: Date
}

export async function beginChange(db: Db, row: FunctionRow, change: Change): Promise<void> {
  await db.run(sql`
    update functions.functions set desired = ${JSON.stringify(change.desired)}, state = 'DEPLOYING',
      state_messages = '[]', number = ${change.number}, operation = ${change.operation}, updated_at = ${change.now}
    where ${at(row.tenant, row)}`)
}

export async function beginDeletion(db: Db, row: FunctionRow, operation: string, now: Date): Promise<void> {
  await db.run(sql`
    update functions.functions set state = 'DELETING', operation = ${operation}, updated_at = ${now}
    where ${at(row.tenant, row)}`)
}

export interface DeploymentResult {
  readonly state: 'ACTIVE' | 'FAILED'
  readonly messages: readonly StateMessage[]
  /** New revision, if any. It serves if traffic follows the latest revision, or if none serves. */
  readonly revision?: string
  /** Set on success. */
  readonly now?: Date
}

/** Undefined if the deployment is no longer the latest, and its result is discarded. */
export function endDeployment(
  db: Db,
  tenant: string,
  { number, ...place }: Place & { readonly number: number },
  { state, messages, revision, now }: DeploymentResult,
): Promise<FunctionRow | undefined> {
  const latest = revision ?? null
  return db.maybe(sql`
    update functions.functions set state = ${state}, state_messages = ${JSON.stringify(messages)},
      revision = case when desired #> '{serviceConfig,allTrafficOnLatestRevision}' = 'false'
        then coalesce(revision, ${latest}) else coalesce(${latest}, revision) end,
      updated_at = coalesce(${now ?? null}::timestamptz, updated_at)
    where ${at(tenant, place)} and number = ${number} and state = 'DEPLOYING' returning ${columns}`)
}

/** Moves the traffic to a revision. Unless it is the latest one, it stays there. */
export function serve(
  db: Db,
  { tenant, ...place }: Place & { readonly tenant: string },
  { revision, isLatest, now }: { readonly revision: string; readonly isLatest: boolean; readonly now: Date },
): Promise<FunctionRow> {
  const pinned = isLatest
    ? sql`desired #- '{serviceConfig,allTrafficOnLatestRevision}'`
    : sql`jsonb_set(desired, '{serviceConfig,allTrafficOnLatestRevision}', 'false')`
  return db.one(sql`
    update functions.functions set revision = ${revision}, desired = ${pinned}, updated_at = ${now}
    where ${at(tenant, place)} returning ${columns}`)
}

export async function remove(db: Db, tenant: string, place: Place): Promise<void> {
  await db.run(sql`delete from functions.functions where ${at(tenant, place)}`)
}

export async function locationsOf(db: ReadingDb, tenant: string, project: string): Promise<string[]> {
  const rows = await db.many<{ location: string }>(sql`
    select distinct location from functions.functions where tenant = ${tenant} and subscription_key = ${project}
    order by location limit 1000`)
  return rows.map(({ location }) => location)
}

export interface Order {
  readonly by: 'name' | 'createTime' | 'updateTime'
  readonly descending: boolean
}

export interface ListRequest {
  readonly tenant: string
  readonly project: string
  /** `-` for all. */
  readonly location: string
  readonly limit: number
  readonly token: string | undefined
  /** As sent by the caller: a page token is bound to it. */
  readonly filter: string
  readonly condition: Sql
  readonly order: Order
}

const sortKeys = { name: sql`name_key`, createTime: sql`created_at::text`, updateTime: sql`updated_at::text` } as const

export function list(db: ReadingDb, request: ListRequest): Promise<Page<FunctionRow>> {
  const { tenant, project, location, limit, token, filter, condition, order } = request
  const key = sortKeys[order.by]
  const query = ['functions', tenant, project, location, filter, order.by, order.descending]
  return readPage<FunctionRow & { readonly sort: string }>(
    { limit, token, query, at: 'query/pageToken' },
    (row) => [row.sort, row.function, row.location],
    (after, count) => {
      const start = after && sql`(${after[0]}::text, ${after[1]}::text, ${after[2]}::text)`
      const keys = sql`(${key}, name_key, location)`
      const beyond = start ? (order.descending ? sql`and ${keys} < ${start}` : sql`and ${keys} > ${start}`) : sql``
      return db.many(sql`
        select ${columns}, ${key} as sort from functions.functions
        where tenant = ${tenant} and subscription_key = ${project}
          ${location === '-' ? sql`` : sql`and location = ${location}`} and ${condition} ${beyond}
        order by ${
          order.descending ? sql`${key} desc, name_key desc, location desc` : sql`${key}, name_key, location`
        } limit ${count}`)
    },
  )
}
