import { type Db, Failure, type ReadingDb, sql } from '@icosa/kernel'
import type { ChangedName, OwnedName } from './changes-store.ts'

// Tenants and names in the directory, as cells reserve and report them.

const named = (names: readonly OwnedName[]) => sql`
  jsonb_to_recordset(${JSON.stringify(names)}) as g (purpose text, name text, owner text)`

/** The name belongs to a tenant elsewhere. */
export class NameTaken extends Failure {
  constructor(name: string) {
    super('alreadyExists', `The name '${name}' is already in use: choose another one.`, { code: 'NameUnavailable' })
  }
}

interface Found {
  readonly state: string | null
  /** Of the tenant, unless it is new. */
  readonly cell: string | null
}

/** Reserves a name for a tenant with this tag, or the tag for a new tenant. May be repeated. */
export async function reserve(db: Db, name: OwnedName, tag: string, cell: string): Promise<void> {
  const found = await find(db, name.owner, cell)
  refuse(found, name.owner, cell)
  const isTenantNew = found.cell === null || name.purpose === 'tag'
  await add(db, isTenantNew ? [{ purpose: 'tag', name: tag, owner: name.owner }, name] : [name], cell)
  if ((await notAdded(db, [name], cell)).length === 0) return
  refuse(await find(db, name.owner, cell), name.owner, cell) // another cell may have been faster
  throw new NameTaken(name.name)
}

const find = (db: ReadingDb, tenant: string, cell: string): Promise<Found> =>
  db.one(sql`
    select (select state from directory.cells where name = ${cell}) as state,
      (select cell from directory.tenants where id = ${tenant}) as cell`)

function refuse(found: Found, tenant: string, cell: string): void {
  if (found.state === null)
    throw new Failure('conflict', `There is no cell '${cell}' in the directory: run \`icosa cells add ${cell}\`.`)
  if (found.cell !== null && found.cell !== cell)
    throw new Failure('misdirected', `The tenant '${tenant}' is in the cell '${found.cell}': send the request there.`)
  if (found.cell === null && found.state === 'draining')
    throw new Failure(
      'conflict',
      `The cell '${cell}' gets no new tenants: \`icosa cells place ${tenant}\` finds another one.`,
    )
}

/** Enters the names that a cell has and deletes those that it no longer has. Returns those that belong to others. */
export async function apply(db: Db, changes: readonly ChangedName[], cell: string): Promise<OwnedName[]> {
  const there = changes.filter(({ isThere }) => isThere)
  await remove(
    db,
    changes.filter(({ isThere }) => !isThere),
    cell,
  )
  await add(db, there, cell)
  return notAdded(db, there, cell)
}

/** Enters names that are not there yet, tenants first. */
export async function add(db: Db, names: readonly OwnedName[], cell: string): Promise<void> {
  const tags = names.filter(({ purpose }) => purpose === 'tag')
  const others = names.filter(({ purpose }) => purpose !== 'tag')
  if (tags.length > 0) {
    await db.run(sql`
      update directory.tenants as t set tag = g.name from ${named(tags)}
      where t.id = g.owner and t.cell = ${cell} and t.tag <> g.name
        and not exists (select from directory.tenants as other where other.tag = g.name)`)
    await db.run(sql`
      insert into directory.tenants (id, tag, cell) select owner, name, ${cell} from ${named(tags)} on conflict do nothing`)
  }
  if (others.length > 0)
    await db.run(sql`
      insert into directory.names (purpose, name, tenant_id)
      select g.purpose, g.name, t.id from ${named(others)} join directory.tenants as t on t.id = g.owner
      on conflict do nothing`)
}

/** Returns the names that are not as the cell has them, since others have them or their tenant. */
export const notAdded = (db: ReadingDb, names: readonly OwnedName[], cell: string): Promise<OwnedName[]> =>
  db.many(sql`
    select g.purpose, g.name, g.owner from ${named(names)} where case g.purpose
      when 'tag' then not exists (
        select from directory.tenants as t where t.id = g.owner and t.tag = g.name and t.cell = ${cell})
      else not exists (
        select from directory.names as n where n.purpose = g.purpose and n.name = g.name and n.tenant_id = g.owner)
    end`)

async function remove(db: Db, names: readonly OwnedName[], cell: string): Promise<void> {
  if (names.length === 0) return
  await db.run(sql`
    delete from directory.names as n using ${named(names)}, directory.tenants as t
    where n.purpose = g.purpose and n.name = g.name and n.tenant_id = g.owner and t.id = g.owner and t.cell = ${cell}`)
  await db.run(sql`
    delete from directory.tenants as t using ${named(names)}
    where g.purpose = 'tag' and t.id = g.owner and t.tag = g.name and t.cell = ${cell} and not t.is_held`)
}
