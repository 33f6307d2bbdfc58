import { type Db, Failure, notFound, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Cell, Labels, RouteChange } from './cell.ts'

const columns = sql`
  name, number, url, database_url as "databaseUrl", labels, capacity, state, is_home as "isHome"`

export const listCells = (db: ReadingDb): Promise<Cell[]> =>
  db.many(sql`select ${columns} from directory.cells order by name`)

export const findCell = (db: ReadingDb, name: string): Promise<Cell | undefined> =>
  db.maybe(sql`select ${columns} from directory.cells where name = ${name}`)

const cellRoute = sql`jsonb_build_object('name', route ->> 'name', 'url', route ->> 'url', 'isHome', route -> 'is_home')`
const tenantRoute = sql`
  jsonb_build_object('tag', route ->> 'tag', 'tenant', route ->> 'id', 'cell', route ->> 'cell', 'isHeld', route -> 'is_held')`
const nameRoute = sql`
  jsonb_build_object('purpose', route ->> 'purpose', 'name', route ->> 'name', 'tenant', route ->> 'tenant_id')`

/**
 * Returns up to `limit` changes after `version`, in order; all there is after '0'. A thing that has changed several times
 * is there once. None is missed by continuing from the last version: they are committed in their order.
 */
export async function changesSince(db: ReadingDb, version: string, limit: number): Promise<RouteChange[]> {
  const after = (kind: string, table: Sql, route: Sql) => sql`
    (select version, ${kind}::text as kind, false as "isRemoved", ${route} as details
      from (select version, to_jsonb(t) as route from ${table} as t where version > ${version}::bigint
        order by version limit ${limit}) as changed)`
  const rows = await db.many<{ version: string; kind: string; isRemoved: boolean; details: object }>(sql`
    select version::text, kind, "isRemoved", details from (
      ${after('cell', sql`directory.cells`, cellRoute)}
      union all ${after('tenant', sql`directory.tenants`, tenantRoute)}
      union all ${after('name', sql`directory.names`, nameRoute)}
      union all (
        select version, kind, true, case kind when 'cell' then ${cellRoute} when 'tenant' then ${tenantRoute} else ${nameRoute} end
        from directory.removals where version > ${version}::bigint order by version limit ${limit})
    ) as changes order by changes.version limit ${limit}`)
  return rows.map(({ details, ...change }) => ({ ...change, ...details }) as RouteChange)
}

/** The version of the latest change, also of one that was undone. */
export const latestVersion = async (db: ReadingDb): Promise<string> =>
  (await db.one<{ version: string }>(sql`select last_value::text as version from directory.versions`)).version

export interface TenantRoute {
  readonly cell: string
  readonly isHeld: boolean
}

/** Holds the tenant's requests, sends them to another cell, or both. */
export async function setTenantRoute(db: Db, tenant: string, { cell, isHeld }: TenantRoute): Promise<void> {
  if (!(await findCell(db, cell)))
    throw new Failure('conflict', `There is no cell '${cell}': \`icosa cells list\` shows them.`)
  const changed = await db.run(sql`
    update directory.tenants set cell = ${cell}, is_held = ${isHeld} where id = ${tenant}`)
  if (changed === 0) notFound('tenant', tenant)
}

export interface PlacedTenant extends TenantRoute {
  readonly id: string
  readonly tag: string
}

const tenantColumns = sql`id, tag, cell, is_held as "isHeld"`

export const findTenant = (db: ReadingDb, id: string): Promise<PlacedTenant | undefined> =>
  db.maybe(sql`select ${tenantColumns} from directory.tenants where id = ${id}`)

/** The tenants of a cell, for instance of one that is drained. */
export const tenantsToMove = async (db: ReadingDb, cell: string): Promise<string[]> =>
  (await db.many<{ id: string }>(sql`select id from directory.tenants where cell = ${cell} order by id`)).map(
    ({ id }) => id,
  )

export interface CellLoad extends Cell {
  readonly tenants: number
}

const loads = sql`
  select ${columns}, coalesce((select tenants from directory.loads where cell = name), 0)::int as tenants
  from directory.cells`

/** Cells with their numbers of tenants. */
export const listLoads = (db: ReadingDb): Promise<CellLoad[]> => db.many(sql`${loads} order by name`)

/** The least loaded cell that has the labels and room. */
export const findRoom = (db: ReadingDb, labels: Labels): Promise<CellLoad | undefined> =>
  db.maybe(sql`
    select * from (${loads}) as cells
    where state = 'active' and labels @> ${JSON.stringify(labels)}::jsonb and tenants < capacity
    order by tenants::float8 / capacity, name limit 1`)

/** Adds a cell, or changes it and makes it active. */
export async function putCell(db: Db, cell: Omit<Cell, 'number' | 'state'>): Promise<void> {
  const { name, url, databaseUrl, labels, capacity, isHome } = cell
  const changed = await db.run(sql`
    update directory.cells set url = ${url}, database_url = ${databaseUrl}, labels = ${JSON.stringify(labels)}::jsonb,
      capacity = ${capacity}, state = 'active' where name = ${name}`)
  if (changed > 0) return
  await db.run(sql`
    insert into directory.cells (name, number, url, database_url, labels, capacity, state, is_home)
    values (${name}, nextval('directory.cell_numbers'), ${url}, ${databaseUrl}, ${JSON.stringify(labels)}::jsonb,
      ${capacity}, 'active', ${isHome})`)
}

/** No new tenants are placed there. Returns false if there is no such cell. */
export const drainCell = async (db: Db, name: string): Promise<boolean> =>
  (await db.run(sql`update directory.cells set state = 'draining' where name = ${name}`)) > 0

export const deleteCell = (db: Db, name: string) => db.run(sql`delete from directory.cells where name = ${name}`)
