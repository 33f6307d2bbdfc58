import { blobPrefix, type Db, Failure, join, type ReadingDb, raw, schemaOf, sql } from '@icosa/kernel'

export interface ResetScope {
  readonly service?: string | undefined
  readonly tenant?: string | undefined
}

export interface ResetDone {
  readonly rows: number
  readonly blobPrefixes: readonly string[]
}

/** Platform tables with the columns for service and tenant. */
export const shared = [
  { table: 'icosa.operations', service: 'service', tenant: 'tenant' },
  { table: 'icosa.resources', service: 'service', tenant: 'tenant' },
  { table: 'icosa.events', service: 'service', tenant: 'tenant' },
  { table: 'icosa.event_subscriptions', service: 'service', tenant: 'tenant' },
  { table: 'icosa.timers', service: 'queue', tenant: 'tenant' },
  { table: 'icosa.jobs', service: 'queue', tenant: 'tenant' },
  { table: 'icosa.idempotent_replies', service: "split_part(operation, ':', 1)", tenant: 'tenant' },
]

/** Deletes the state of services, with jobs, timers and operations. Tenants and credentials are kept. */
export async function resetState(db: Db, { service, tenant }: ResetScope): Promise<ResetDone> {
  const owners = await db.many<{ owner: string }>(
    sql`select distinct owner from icosa.migrations where owner not in ('icosa', 'platform')`,
  )
  const names = owners.map(({ owner }) => owner).filter((owner) => service === undefined || owner === service)
  if (service !== undefined && names.length === 0)
    throw new Failure(
      'invalid',
      `There is no service '${service}' with state. Use one of ${owners.map((o) => o.owner)}.`,
    )

  const rows = await yieldingLocks(db, () => deleteRows(db, names, { service, tenant }))
  const blobPrefixes = names.map((name) => blobPrefix(name, tenant))
  return { rows, blobPrefixes }
}

async function deleteRows(db: Db, names: readonly string[], { service, tenant }: ResetScope): Promise<number> {
  let rows = 0
  for (const name of names) rows += await emptySchema(db, schemaOf(name), tenant)
  for (const { table, ...columns } of shared) {
    rows += await db.run(sql`
      delete from ${raw(table)} where (${service ?? null}::text is null or ${raw(columns.service)} = ${service ?? null})
      and (${tenant ?? null}::text is null or ${raw(columns.tenant)} = ${tenant ?? null})`)
  }
  await deleteByteCounts(db, { service, tenant })
  return rows
}

/** Blobs are deleted later, bypassing the count. The table is missing in tests that run without the platform service. */
async function deleteByteCounts(db: Db, { service, tenant }: ResetScope): Promise<void> {
  const { tableExists } = await db.one<{ tableExists: boolean }>(
    sql`select to_regclass('platform.blobs') is not null as "tableExists"`,
  )
  if (!tableExists) return
  await db.run(sql`
    delete from platform.blobs where (${service ?? null}::text is null or service = ${service ?? null})
      and (${tenant ?? null}::text is null or tenant = ${tenant ?? null})`)
}

const lockNotAvailable = '55P03'
const maxAttempts = 60

/**
 * Handlers and jobs lock the same rows in different orders, so deadlocks are possible. The reset rolls back and retries, so
 * that writers need not.
 */
export async function yieldingLocks<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.script("set local lock_timeout = '500ms'; savepoint untouched")
  for (let attempt = 1; attempt <= maxAttempts; attempt++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      await db.script('rollback to untouched')
    }
  throw new Failure('unavailable', 'Concurrent writes prevent the deletion: try again.')
}

interface Table {
  readonly name: string
  readonly byTenant: boolean
}

/** Deletes referenced tables last. */
export async function emptySchema(
  db: Db,
  schema: string,
  tenant: string | undefined,
  except: readonly string[] = [],
): Promise<number> {
  const tables = await db.many<Table>(sql`
    select format('%I.%I', ${schema}::text, c.relname) as name, exists (
      select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped) as "byTenant"
    from pg_class c where c.relnamespace = (select oid from pg_namespace where nspname = ${schema}) and c.relkind in ('r', 'p')
      and not c.relispartition`)
  const affected = tables.filter(({ name, byTenant }) => (tenant === undefined || byTenant) && !except.includes(name))
  if (affected.length === 0) return 0
  if (tenant === undefined) return truncateFilled(db, affected)
  // Constraints are checked at the end, so the order of tables does not matter where they are deferrable.
  await db.script('set constraints all deferred')
  let rows = 0
  for (const { name } of await childrenFirst(db, affected))
    rows += await db.run(sql`delete from ${raw(name)} where tenant = ${tenant}`)
  return rows
}

/** Truncates only tables with rows: each truncation creates new files for the table and its indexes. */
async function truncateFilled(db: Db, tables: readonly Table[]): Promise<number> {
  const names = tables.map(({ name }) => name)
  await db.script(`lock table ${names.join(', ')} in share row exclusive mode`) // so that the counts include concurrent writes
  const counts = await db.many<{ name: string; rows: number }>(sql`
    ${join(
      names.map((name) => sql`select ${name}::text as name, count(*)::float8 as rows from ${raw(name)}`),
      ' union all ',
    )}`)
  const filled = counts.filter(({ rows }) => rows > 0)
  if (filled.length > 0) await db.script(`truncate ${filled.map(({ name }) => name).join(', ')} cascade`)
  return filled.reduce((sum, { rows }) => sum + rows, 0)
}

/** Orders tables so that rows can be deleted from one after the other, or inserted in the opposite order. */
export async function childrenFirst<T extends Pick<Table, 'name'>>(db: ReadingDb, tables: readonly T[]): Promise<T[]> {
  const references = await db.many<{ child: string; parent: string }>(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and conrelid <> confrelid`)
  const remaining = new Map(tables.map((table) => [table.name, table]))
  const ordered: T[] = []
  while (remaining.size > 0) {
    const isUnreferenced = (name: string) =>
      !references.some(({ child, parent }) => parent === name && remaining.has(child))
    const unreferenced = [...remaining.values()].filter(({ name }) => isUnreferenced(name))
    for (const table of unreferenced.length > 0 ? unreferenced : [...remaining.values()]) {
      ordered.push(table)
      remaining.delete(table.name)
    }
  }
  return ordered
}
