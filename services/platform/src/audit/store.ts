import { type Db, operatorService, publish, type ReadingDb, sql, subscribedTenants } from '@icosa/kernel'
import { type AuditRecord, type AuditRow, chained, type Head } from './chain.ts'
import { auditEvents, auditEventType, concernedTenant } from './events.ts'

/** Appends records to the chains of their tenants, in a transaction. Returns the queues to wake after it. */
export async function append(db: Db, key: Uint8Array, records: readonly AuditRecord[]): Promise<string[]> {
  const byTenant = Map.groupBy(records, ({ tenant }) => tenant)
  const tenants = [...byTenant.keys()].sort() // one lock order prevents deadlocks
  let heads = await lockHeads(db, tenants)
  if (heads.length < tenants.length) {
    await db.run(sql`
      insert into platform.audit_heads (tenant, number, at, hash)
      select tenant, 0, to_timestamp(0), '' from unnest(${tenants}::text[]) as tenant on conflict do nothing`)
    heads = await lockHeads(db, tenants)
  }
  const rows = heads.flatMap((head) =>
    chained(key, head.number === 0 ? undefined : head, byTenant.get(head.tenant) ?? []),
  )
  const lines = rows.map(inHex)
  await db.run(sql`
    with added as (
      insert into platform.audit (tenant, subject, number, at, caller, address, service, operation, resource, status,
        request_id, salt, previous_at, previous, hash)
      select tenant, subject, number, at, caller, address, service, operation, resource, status, "requestId",
        decode(salt, 'hex'), "previousAt", decode(previous, 'hex'), decode(hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (tenant text, subject text, number bigint,
        at timestamptz, caller text, address text, service text, operation text, resource text, status integer,
        "requestId" text, salt text, "previousAt" timestamptz, previous text, hash text)
      returning tenant, number, at, hash)
    update platform.audit_heads as head set number = last.number, at = last.at, hash = last.hash
    from (select distinct on (tenant) * from added order by tenant, number desc) as last where head.tenant = last.tenant`)
  return publishRows(db, rows)
}

/** The rows of subscribed tenants as events. */
async function publishRows(db: Db, rows: readonly AuditRow[]): Promise<string[]> {
  const tenants = await subscribedTenants(db, auditEventType, [...new Set(rows.map(concernedTenant))])
  return publish(db, auditEvents(rows.filter((row) => tenants.has(concernedTenant(row)))))
}

const lockHeads = (db: Db, tenants: readonly string[]) =>
  db.many<Head & { tenant: string }>(sql`
    select tenant, number::float8 as number, at, hash from platform.audit_heads where tenant = any(${tenants})
    order by tenant for update`)

const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null

export const inHex = ({ salt, erased, previous, hash, ...row }: AuditRow) => ({
  ...row,
  salt: hex(salt),
  erased: hex(erased),
  previous: hex(previous),
  hash: hash.toString('hex'),
})

const columns = sql`tenant, subject, number::float8 as number, at, caller, address, service, operation, resource, status,
  request_id as "requestId", salt, erased, previous_at as "previousAt", previous, hash`

export async function heads(db: ReadingDb, tenant?: string): Promise<(Head & { readonly tenant: string })[]> {
  return db.many(sql`
    select tenant, number::float8 as number, at, hash from platform.audit_heads
    where (${tenant ?? null}::text is null or tenant = ${tenant ?? null}) order by tenant`)
}

/** Tenants with rows, even if the head of their chain is missing. */
export async function tenantsWithRows(db: ReadingDb, tenant?: string): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    select distinct tenant from platform.audit
    where (${tenant ?? null}::text is null or tenant = ${tenant ?? null}) order by tenant`)
  return rows.map((row) => row.tenant)
}

/** Oldest first. */
export function rowsAfter(db: ReadingDb, tenant: string, after: number, limit: number): Promise<AuditRow[]> {
  return db.many(sql`
    select ${columns} from platform.audit where tenant = ${tenant} and number > ${after} order by number limit ${limit}`)
}

/** Newest first: rows of all tenants, or of one with the acts of operators that concern it. */
export function newest(db: ReadingDb, tenant: string | undefined, limit: number): Promise<AuditRow[]> {
  return db.many(
    tenant === undefined
      ? sql`select ${columns} from platform.audit order by at desc, tenant, number desc limit ${limit}`
      : sql`
        (select ${columns} from platform.audit where tenant = ${tenant} order by number desc limit ${limit})
        union all
        (select ${columns} from platform.audit where tenant = '' and subject = ${tenant} order by number desc limit ${limit})
        order by at desc, tenant, number desc limit ${limit}`,
  )
}

export type RowId = Pick<AuditRow, 'tenant' | 'number'>

/**
 * Locks a page of rows with personal fields of a tenant: its own chain, and all rows of operator acts of which one names
 * the tenant.
 */
export function personalRows(db: Db, tenant: string, after: RowId, limit: number): Promise<AuditRow[]> {
  return db.many(sql`
    select ${columns} from platform.audit
    where (tenant = ${tenant} or (tenant = '' and service = ${operatorService} and request_id in (
        select request_id from platform.audit where tenant = '' and subject = ${tenant})))
      and erased is null and (salt is not null or resource <> '') and (tenant, number) > (${after.tenant}, ${after.number})
    order by tenant, number limit ${limit} for update`)
}

export async function replace(db: Db, rows: readonly AuditRow[]): Promise<void> {
  const lines = rows.map(inHex)
  await db.run(sql`
    update platform.audit as row set caller = line.caller, address = line.address, resource = line.resource,
      salt = decode(line.salt, 'hex'), erased = decode(line.erased, 'hex')
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (tenant text, number bigint, caller text, address text,
      resource text, salt text, erased text)
    where row.tenant = line.tenant and row.number = line.number`)
}
