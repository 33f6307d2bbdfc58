import { type Db, type ReadingDb, readPage, type Sql, sql, varying } from '@icosa/kernel'
import type { Filter } from '../filter/ast.ts'
import { matching } from '../filter/filter-store.ts'
import type { ActiveDiagnostic } from '../sampling/line.ts'
import { type DiagnosticAddress, keyOf, type ServiceAddress } from './address.ts'
import type { Settings } from './contract.ts'

/** A diagnostic with its names as spelled at creation. */
export interface Row extends DiagnosticAddress {
  readonly settings: Settings
  readonly etag: string
}

const columns = sql`subscription as "subscriptionId", resource_group as "resourceGroupName", service as "serviceName",
  name as "diagnosticId", properties as settings, etag`

const ofService = (tenant: string, { subscriptionId, resourceGroupName, serviceName }: ServiceAddress): Sql => sql`
  tenant = ${tenant} and subscription_key = ${keyOf(subscriptionId)} and group_key = ${keyOf(resourceGroupName)}
  and service_key = ${keyOf(serviceName)}`

const at = (tenant: string, address: DiagnosticAddress): Sql => sql`
  ${ofService(tenant, address)} and name_key = ${keyOf(address.diagnosticId)}`

export function find(db: ReadingDb, tenant: string, address: DiagnosticAddress): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from api_diagnostics.diagnostics where ${at(tenant, address)}`)
}

export function lock(db: Db, tenant: string, address: DiagnosticAddress): Promise<Row | undefined> {
  return db.maybe(sql`select ${columns} from api_diagnostics.diagnostics where ${at(tenant, address)} for update`)
}

export interface Change {
  readonly settings: Settings
  readonly etag: string
  readonly now: Date
}

export function put(
  db: Db,
  tenant: string,
  address: DiagnosticAddress,
  { settings, etag, now }: Change,
): Promise<Row & { readonly created: boolean }> {
  const { subscriptionId, resourceGroupName, serviceName, diagnosticId } = address
  return db.one(sql`
    insert into api_diagnostics.diagnostics (tenant, subscription_key, group_key, service_key, name_key,
      subscription, resource_group, service, name, properties, etag, created_at, updated_at)
    values (${tenant}, ${keyOf(subscriptionId)}, ${keyOf(resourceGroupName)}, ${keyOf(serviceName)},
      ${keyOf(diagnosticId)}, ${subscriptionId}, ${resourceGroupName}, ${serviceName}, ${diagnosticId},
      ${JSON.stringify(settings)}, ${etag}, ${now}, ${now})
    on conflict (tenant, subscription_key, group_key, service_key, name_key) do update
      set properties = excluded.properties, etag = excluded.etag, updated_at = excluded.updated_at
    -- xmax is 0 in a newly inserted row.
    returning ${columns}, xmax = 0 as created`)
}

/** Replaces an existing diagnostic. */
export function replace(
  db: Db,
  tenant: string,
  address: DiagnosticAddress,
  { settings, etag, now }: Change,
): Promise<Row | undefined> {
  return db.maybe(sql`
    update api_diagnostics.diagnostics set properties = ${JSON.stringify(settings)}, etag = ${etag}, updated_at = ${now}
    where ${at(tenant, address)} returning ${columns}`)
}

export async function remove(db: Db, tenant: string, address: DiagnosticAddress): Promise<void> {
  await db.run(sql`delete from api_diagnostics.diagnostics where ${at(tenant, address)}`)
}

export interface ListRequest {
  readonly limit: number
  readonly filter?: Filter | undefined
  readonly skip?: number | undefined
  readonly token?: string | undefined
}

/** Sorted by name. `$skip` is ignored with a token: clients repeat it. */
export function list(
  db: ReadingDb,
  tenant: string,
  address: ServiceAddress,
  { limit, filter, skip = 0, token }: ListRequest,
) {
  const { subscriptionId, resourceGroupName, serviceName } = address
  const serviceKey = [subscriptionId, resourceGroupName, serviceName].map(keyOf)
  return readPage<Row>(
    { limit, token, query: ['diagnostics', tenant, serviceKey, filter], at: 'query/$skipToken' },
    ({ diagnosticId }) => [keyOf(diagnosticId)],
    (after, count) => {
      const statement = sql`
        select ${columns} from api_diagnostics.diagnostics
        where ${ofService(tenant, address)} and name_key > ${after?.[0] ?? ''} and ${filter ? matching(filter) : sql`true`}
        order by name_key limit ${count} offset ${after ? 0 : skip}`
      return db.many(filter ? varying(statement) : statement)
    },
  )
}

/** Diagnostics of a service of a tenant, in any subscription and group. */
export function activeDiagnostics(
  db: ReadingDb,
  tenant: string,
  service: string,
  limit: number,
): Promise<ActiveDiagnostic[]> {
  return db.many(sql`
    select name, properties as settings from api_diagnostics.diagnostics
    where tenant = ${tenant} and service_key = ${keyOf(service)}
    order by name_key, subscription_key, group_key limit ${limit}`)
}
