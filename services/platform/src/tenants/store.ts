import { type Db, type ReadingDb, raw, sql, tenantSubject } from '@icosa/kernel'
import type { Limit } from '../limits/store.ts'
import { emptySchema, resetState, yieldingLocks } from '../state/store.ts'

export interface TenantSummary {
  readonly tenant: string
  readonly createdAt: Date
  readonly credentials: number
  readonly resources: number
}

const summary = sql`id as tenant, created_at as "createdAt",
  (select count(*)::int from icosa.credentials c where c.tenant = t.id and revoked_at is null) as credentials,
  (select count(*)::int from icosa.resources r where r.tenant = t.id) as resources`

export const listTenants = (db: ReadingDb, only?: string): Promise<TenantSummary[]> =>
  db.many(sql`
    select ${summary} from icosa.tenants t where ${only ?? null}::text is null or id = ${only ?? null} order by id`)

export const tenantsAfter = (db: ReadingDb, after: string, limit: number): Promise<TenantSummary[]> =>
  db.many(sql`select ${summary} from icosa.tenants t where id > ${after} order by id limit ${limit}`)

export interface LimitUsage extends Omit<Limit, 'tenant'> {
  /** Null for requests, which nodes count. */
  readonly used: number | null
}

/** Limits of a tenant with their usage. Bytes are counted for tenants with a limit only. */
export const limitsOf = (db: ReadingDb, tenant: string): Promise<LimitUsage[]> =>
  db.many(sql`
    select service, kind, amount::float8 as amount, case kind
      when 'resources' then (select count(*)::float8 from icosa.resources r
        where r.tenant = l.tenant and l.service in (r.service, '*'))
      when 'bytes' then (select coalesce(sum(bytes), 0)::float8 from platform.blob_bytes b
        where b.tenant = l.tenant and l.service in (b.service, '*')) end as used
    from platform.limits l where tenant = ${tenant} order by service, kind`)

export const usageOf = (
  db: ReadingDb,
  tenant: string,
): Promise<{ service: string; resources: number; jobs: number }[]> =>
  db.many(sql`
    select service, sum(resources)::int as resources, sum(jobs)::int as jobs from (
      select service, count(*) as resources, 0 as jobs from icosa.resources where tenant = ${tenant} group by 1
      union all select queue, 0, count(*) from icosa.jobs where tenant = ${tenant} group by 1) as used
    group by 1 order by 1`)

/** A table with rows of tenants, and the SQL expression for the tenant. */
export interface TenantTable {
  readonly table: string
  readonly tenant: string
}

/** Tables with the tenant in another column. */
const otherTables: readonly TenantTable[] = [
  { table: 'icosa.tenants', tenant: 'id' },
  { table: 'icosa.schedules', tenant: "payload->>'tenant'" },
]

export async function tenantTables(db: ReadingDb): Promise<TenantTable[]> {
  const tables = await db.many<TenantTable>(sql`
    select format('%I.%I', nspname, relname) as table, 'tenant' as tenant
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema')
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and attname = 'tenant' and not attisdropped)
    order by 1`)
  return [...tables, ...otherTables]
}

export interface RowCount {
  readonly table: string
  readonly rows: number
}

/** Row counts of the tables in which a tenant has rows. */
export async function rowsOf(db: ReadingDb, tenant: string): Promise<RowCount[]> {
  const counts: RowCount[] = []
  for (const { table, tenant: column } of await tenantTables(db)) {
    const { rows } = await db.one<{ rows: number }>(sql`
      select count(*)::int as rows from ${raw(table)} where ${raw(column)} = ${tenant}`)
    if (rows > 0) counts.push({ table, rows })
  }
  return counts
}

/** Tables that are kept: the audit log, without personal fields. */
const retained: readonly string[] = ['platform.audit', 'platform.audit_heads']

/** Like `rowsOf`, without retained tables. */
export const rowsLeft = async (db: ReadingDb, tenant: string): Promise<RowCount[]> =>
  (await rowsOf(db, tenant)).filter(({ table }) => !retained.includes(table))

/** Revokes every key, signing secret and token of a tenant, on every node within a second. */
export async function revokeCredentials(db: Db, tenant: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into icosa.revocations (subject)
    select id from icosa.credentials where tenant = ${tenant} union all select ${tenantSubject(tenant)}`)
  await db.run(sql`
    update icosa.credentials set revoked_at = coalesce(revoked_at, ${now}) where tenant = ${tenant}`)
}

/** Deletes timers and jobs: a worker that has lost its claim can no longer write. */
export async function endWork(db: Db, tenant: string): Promise<void> {
  await db.run(sql`delete from icosa.timers where tenant = ${tenant}`)
  await db.run(sql`delete from icosa.jobs where tenant = ${tenant}`)
}

/** Deletes every row of a tenant, of services and of the platform. */
export async function removeRows(
  db: Db,
  tenant: string,
  removers: readonly ((db: Db, tenant: string) => Promise<number>)[],
): Promise<number> {
  const removed = await yieldingLocks(db, async () => {
    let rows = 0
    for (const remove of removers) rows += await remove(db, tenant)
    return rows
  })
  const { rows } = await resetState(db, { tenant })
  const own = await yieldingLocks(db, async () => {
    const platform = await emptySchema(db, 'platform', tenant, retained)
    const kernel = await emptySchema(db, 'icosa', tenant)
    return platform + kernel + (await db.run(sql`delete from icosa.tenants where id = ${tenant}`))
  })
  return removed + rows + own
}
