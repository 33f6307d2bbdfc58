import { blobPrefix, type Db, Failure, join, raw, schemaOf, sql } from '@icosa/kernel'

export interface ResetScope {
  readonly service?: string | undefined
  readonly tenant?: string | undefined
}

export interface ResetDone {
  readonly rows: number
  /** Where the blobs of what was deleted lie. */
  readonly blobPrefixes: readonly string[]
}

/** Tables of the platform that follow a service and a tenant. */
const shared = [
  { table: 'icosa.operations', service: 'service', tenant: 'tenant' },
  { table: 'icosa.resources', service: 'service', tenant: 'tenant' },
  { table: 'icosa.timers', service: 'queue', tenant: "payload->>'tenant'" },
  { table: 'jobs.job', service: 'name', tenant: "data->>'tenant'" },
]

/** Deletes what services keep, and the work that goes on for it. Tenants and credentials stay. */
export async function resetState(db: Db, { service, tenant }: ResetScope): Promise<ResetDone> {
  const owners = await db.many<{ owner: string }>(
    sql`select distinct owner from icosa.migrations where owner not in ('icosa', 'platform')`,
  )
  const names = owners.map(({ owner }) => owner).filter((owner) => service === undefined || owner === service)
  if (service !== undefined && names.length === 0)
    throw new Failure(
      'invalid',
      `No service '${service}' keeps state here: it is one of ${owners.map((o) => o.owner)}.`,
    )

  const rows = await lettingOthersGoFirst(db, () => deleteRows(db, names, { service, tenant }))
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
  await forgetBytes(db, { service, tenant })
  return rows
}

/** Blobs go after the rows, past whoever counts them. Where only a few services run in a test, nothing does. */
async function forgetBytes(db: Db, { service, tenant }: ResetScope): Promise<void> {
  const { isThere } = await db.one<{ isThere: boolean }>(
    sql`select to_regclass('platform.blobs') is not null as "isThere"`,
  )
  if (!isThere) return
  await db.run(sql`
    delete from platform.blobs where (${service ?? null}::text is null or service = ${service ?? null})
      and (${tenant ?? null}::text is null or tenant = ${tenant ?? null})`)
}

const lockNotAvailable = '55P03'
const attemptsLimit = 60

/**
 * Handlers and jobs write the same rows in orders of their own: one of them may hold what the reset waits for, and wait for
 * what the reset holds. The reset is the one that lets go of everything and begins again.
 */
export async function lettingOthersGoFirst<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.script("set local lock_timeout = '500ms'; savepoint untouched")
  for (let attempt = 1; attempt <= attemptsLimit; attempt++)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      await db.script('rollback to untouched')
    }
  throw new Failure('unavailable', 'Others keep writing what is to be deleted: try again.')
}

interface Table {
  readonly name: string
  readonly byTenant: boolean
}

/** Tables that others refer to come last. */
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

/** To truncate a table makes new files for it and its indexes. Of hundreds of tables few have rows, and only those are. */
async function truncateFilled(db: Db, tables: readonly Table[]): Promise<number> {
  const all = tables.map(({ name }) => name)
  await db.script(`lock table ${all.join(', ')} in share row exclusive mode`) // whoever writes now is seen
  const counts = await db.many<{ name: string; rows: number }>(sql`
    ${join(
      all.map((name) => sql`select ${name}::text as name, count(*)::float8 as rows from ${raw(name)}`),
      ' union all ',
    )}`)
  const filled = counts.filter(({ rows }) => rows > 0)
  if (filled.length > 0) await db.script(`truncate ${filled.map(({ name }) => name).join(', ')} cascade`)
  return filled.reduce((sum, { rows }) => sum + rows, 0)
}

async function childrenFirst(db: Db, tables: readonly Table[]): Promise<Table[]> {
  const references = await db.many<{ child: string; parent: string }>(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and conrelid <> confrelid`)
  const rest = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (rest.size > 0) {
    const isFree = (name: string) => !references.some(({ child, parent }) => parent === name && rest.has(child))
    const free = [...rest.values()].filter(({ name }) => isFree(name))
    for (const table of free.length > 0 ? free : [...rest.values()]) {
      ordered.push(table)
      rest.delete(table.name)
    }
  }
  return ordered
}
