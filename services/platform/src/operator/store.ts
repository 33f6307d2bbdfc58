import { type Db, empty, operatorService, type ReadingDb, raw, sql } from '@icosa/kernel'
import type { AuditChain, AuditRecord, Key, Node } from './contract.ts'

const iso = (column: string) => sql`to_char(${raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Keys after one, in the order of tenants and IDs. */
export async function keysAfter(
  db: ReadingDb,
  tenant: string | undefined,
  [afterTenant, afterId]: readonly [string, string],
  now: Date,
  limit: number,
): Promise<Key[]> {
  const rows = await db.many<{ row: Key }>(sql`
    select json_strip_nulls(to_json(listed)) as row from (
      select id, tenant, name, case when key_hash is null then 'signing' else 'key' end as kind, case
        when revoked_at is not null then 'revoked' when expires_at <= ${now} then 'expired' else 'valid' end as state,
        permissions, ${iso('created_at')} as "createdAt", ${iso('expires_at')} as "expiresAt",
        ${iso('revoked_at')} as "revokedAt"
      from icosa.credentials where (tenant, id) > (${afterTenant}, ${afterId})
        ${tenant === undefined ? empty : sql`and tenant = ${tenant}`} order by icosa.credentials.tenant, id limit ${limit}) as listed`)
  return rows.map(({ row }) => row)
}

/** The chain of the platform itself has no tenant. */
export const platformChain = '~'
export const tenantOfChain = (chain: string) => (chain === platformChain ? '' : chain)

export const chainsAfter = (db: ReadingDb, after: string | undefined, limit: number): Promise<AuditChain[]> =>
  db.many(sql`
    select coalesce(nullif(tenant, ''), ${platformChain}) as chain, number::float8 as "lastNumber", ${iso('at')} as "lastAt"
    from platform.audit_heads where ${after ?? null}::text is null or tenant > ${after ?? null} order by tenant limit ${limit}`)

export interface RecordFilter {
  readonly who?: string | undefined
  readonly operation?: string | undefined
  readonly subject?: string | undefined
  readonly minStatus?: number | undefined
  readonly before?: string | undefined
}

/** Records searched for a page: a filter that matches few has no index. */
const maxSearched = 10_000

export interface FoundRecords {
  readonly records: readonly AuditRecord[]
  /** Number of the last record that was searched, if there may be more. */
  readonly searchedTo: number | undefined
}

/** A page of records before a number, newest first. It may be empty although older records match. */
export async function recordsBefore(
  db: ReadingDb,
  tenant: string,
  { who, operation, subject, minStatus, before }: RecordFilter,
  number: number,
  limit: number,
): Promise<FoundRecords> {
  const rows = await db.many<Omit<AuditRecord, 'at'> & { at: Date; isMatch: boolean }>(sql`
    select number::float8 as number, at, caller as who, address as "from", service || ':' || operation as operation, status,
      subject, resource, request_id as "requestId", erased is not null as "isErased",
      (${who ?? null}::text is null or caller = ${who ?? null})
      and (${operation ?? null}::text is null or position(lower(${operation ?? null}) in lower(service || ':' || operation)) > 0)
      and (${subject ?? null}::text is null or subject = ${subject ?? null})
      and (${minStatus ?? null}::int is null or status >= ${minStatus ?? null})
      and (${before ?? null}::timestamptz is null or at < ${before ?? null}::timestamptz) as "isMatch"
    from platform.audit where tenant = ${tenant} and number < ${number} order by number desc limit ${maxSearched}`)
  const matches = rows.filter(({ isMatch }) => isMatch)
  const page = matches.slice(0, limit)
  const isCut = matches.length > limit || rows.length === maxSearched
  return {
    records: page.map(({ at, subject: concerned, resource, isMatch: _, ...record }) => ({
      ...record,
      at: at.toISOString(),
      ...(concerned && { subject: concerned }),
      ...(resource && { resource }),
    })),
    searchedTo: isCut ? (matches.length > limit ? page.at(-1) : rows.at(-1))?.number : undefined,
  }
}

/** A node that was silent for longer has died or lost the database. */
const silentSeconds = 60

export const nodes = (db: ReadingDb): Promise<Node[]> =>
  db.many(sql`
    select id::text, host, process, version, case when is_api and is_worker then 'API and worker' when is_api then 'API'
        when is_worker then 'worker' else 'none' end as role, services,
      case when seen_at > clock_timestamp() - make_interval(secs => ${silentSeconds}) then 'alive' else 'silent' end as state,
      round(clock_skew_ms)::float8 as "clockSkewMs", ${iso('started_at')} as "startedAt", ${iso('seen_at')} as "lastHeartbeat"
    from platform.nodes order by host, process, id limit 10000`)

export interface Heartbeat {
  readonly id: string
  readonly host: string
  readonly process: number
  readonly version: string
  readonly roles: { readonly api: boolean; readonly worker: boolean }
  readonly services: readonly string[]
  readonly clockSkewMs: number
}

export async function putHeartbeat(db: Db, { id, host, process, version, roles, ...node }: Heartbeat): Promise<void> {
  await db.run(sql`
    insert into platform.nodes (id, host, process, version, is_api, is_worker, services, clock_skew_ms, started_at, seen_at)
    values (${id}, ${host}, ${process}, ${version}, ${roles.api}, ${roles.worker}, ${node.services}, ${node.clockSkewMs},
      clock_timestamp(), clock_timestamp())
    on conflict (id) do update set clock_skew_ms = excluded.clock_skew_ms, seen_at = excluded.seen_at`)
}

export async function removeNode(db: Db, id: string): Promise<void> {
  await db.run(sql`delete from platform.nodes where id = ${id}`)
}

/** The tenant that an operation deletes. */
export const resourceOf = (tenant: string) => `/tenants/${tenant}`

/** Those of some tenants that are being deleted. */
export async function deletedAmong(db: ReadingDb, tenants: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ resource: string }>(sql`
    select resource from icosa.operations where service = ${operatorService} and status in ('pending', 'running')
      and resource = any(${tenants.map(resourceOf)})`)
  return new Set(tenants.filter((tenant) => rows.some(({ resource }) => resource === resourceOf(tenant))))
}
