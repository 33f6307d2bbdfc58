import { type Db, type ReadingDb, raw, sql, tenantSubject } from '@icosa/kernel'
import { emptySchema, lettingOthersGoFirst, resetState } from '../state/store.ts'

export interface TenantSummary {
  readonly tenant: string
  readonly createdAt: Date
  readonly credentials: number
  readonly resources: number
}

export function listTenants(db: ReadingDb, only?: string): Promise<TenantSummary[]> {
  return db.many(sql`
    select id as tenant, created_at as "createdAt",
      (select count(*)::int from icosa.credentials c where c.tenant = t.id and revoked_at is null) as credentials,
      (select count(*)::int from icosa.resources r where r.tenant = t.id) as resources
    from icosa.tenants t where ${only ?? null}::text is null or id = ${only ?? null} order by id`)
}

/** A table whose rows say whose they are, and what of a row says it. */
export interface TenantTable {
  readonly table: string
  readonly tenant: string
}

/** Jobs and timers carry the tenant inside. */
const carrying: readonly TenantTable[] = [
  { table: 'icosa.tenants', tenant: 'id' },
  { table: 'icosa.timers', tenant: "payload->>'tenant'" },
  { table: 'icosa.schedules', tenant: "payload->>'tenant'" },
  { table: 'jobs.job', tenant: "data->>'tenant'" },
]

export async function tenantTables(db: ReadingDb): Promise<TenantTable[]> {
  const found = await db.many<TenantTable>(sql`
    select format('%I.%I', nspname, relname) as table, 'tenant' as tenant
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema', 'jobs')
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and attname = 'tenant' and not attisdropped)
    order by 1`)
  return [...found, ...carrying]
}

export interface RowCount {
  readonly table: string
  readonly rows: number
}

/** Tables in which a tenant has rows, and how many. */
export async function rowsOf(db: ReadingDb, tenant: string): Promise<RowCount[]> {
  const counts: RowCount[] = []
  for (const { table, tenant: column } of await tenantTables(db)) {
    const { rows } = await db.one<{ rows: number }>(sql`
      select count(*)::int as rows from ${raw(table)} where ${raw(column)} = ${tenant}`)
    if (rows > 0) counts.push({ table, rows })
  }
  return counts
}

/** Tables whose rows outlive their tenant: the audit log, without personal fields. */
const staying: readonly string[] = ['platform.audit', 'platform.audit_heads']

/** Tables in which a tenant has rows that its deletion removes. */
export const rowsLeft = async (db: ReadingDb, tenant: string): Promise<RowCount[]> =>
  (await rowsOf(db, tenant)).filter(({ table }) => !staying.includes(table))

/** Refuses every key, signature and token of the tenant, on every node within a second. */
export async function shutOut(db: Db, tenant: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into icosa.revocations (subject)
    select id from icosa.credentials where tenant = ${tenant} union all select ${tenantSubject(tenant)}`)
  await db.run(sql`
    update icosa.credentials set revoked_at = coalesce(revoked_at, ${now}) where tenant = ${tenant}`)
}

/** What waits or runs for it: a worker that has lost its claim writes nothing more. */
export async function endWork(db: Db, tenant: string): Promise<void> {
  await db.run(sql`delete from icosa.timers where payload->>'tenant' = ${tenant}`)
  await db.run(sql`delete from jobs.job where data->>'tenant' = ${tenant}`)
}

/** Every row of a tenant, of services and of the platform. */
export async function removeRows(
  db: Db,
  tenant: string,
  byOthers: readonly ((db: Db, tenant: string) => Promise<number>)[],
): Promise<number> {
  const before = await lettingOthersGoFirst(db, async () => {
    let rows = 0
    for (const remove of byOthers) rows += await remove(db, tenant)
    return rows
  })
  const { rows } = await resetState(db, { tenant })
  const own = await lettingOthersGoFirst(db, async () => {
    const kept = await emptySchema(db, 'platform', tenant, staying)
    const platform = await emptySchema(db, 'icosa', tenant)
    return kept + platform + (await db.run(sql`delete from icosa.tenants where id = ${tenant}`))
  })
  return before + rows + own
}
