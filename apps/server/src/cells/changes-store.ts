import { type Db, type ReadingDb, sql } from '@icosa/kernel'

// What a cell's own database has for the directory.

/** A name of icosa.names. Of the purpose `tag`, it is that of a tenant. */
export interface OwnedName {
  readonly purpose: string
  readonly name: string
  readonly owner: string
}

/** A name of which the directory may know something else. */
export interface ChangedName extends OwnedName {
  /** Whether the owner has it. */
  readonly isThere: boolean
}

/** Name of the cell in the directory, if it is in one. */
export const cellNameOf = async (db: ReadingDb): Promise<string | undefined> =>
  (await db.maybe<{ name: string }>(sql`select name from icosa.cell`))?.name

/** A reservation that no transaction used, and a refused name, are examined after a minute. */
const isDue = sql`(state = 'changed' or changed_at < clock_timestamp() - interval '1 minute')`

export const hasChanges = async (db: ReadingDb): Promise<boolean> =>
  (await db.one<{ has: boolean }>(sql`select exists (select from icosa.name_changes where ${isDue}) as has`)).has

/** Locks changes until the transaction ends, except those in use. */
export async function lockChanges(db: Db, limit: number): Promise<ChangedName[]> {
  const names = await db.many<OwnedName>(sql`
    select purpose, name, owner from icosa.name_changes where ${isDue}
    order by purpose, name, owner limit ${limit} for update skip locked`)
  // A statement of its own, which sees what was committed before the lock.
  return db.many(sql`
    select purpose, name, owner, exists (
      select from icosa.names as n where n.purpose = c.purpose and n.name = c.name and n.tenant = c.owner) as "isThere"
    from jsonb_to_recordset(${JSON.stringify(names)}) as c (purpose text, name text, owner text)`)
}

const among = (names: readonly OwnedName[]) => sql`
  (purpose, name, owner) in (
    select purpose, name, owner from jsonb_to_recordset(${JSON.stringify(names)}) as c (purpose text, name text, owner text))`

export const deleteChanges = (db: Db, names: readonly OwnedName[]) =>
  db.run(sql`delete from icosa.name_changes where ${among(names)}`)

export const refuseChanges = (db: Db, names: readonly OwnedName[]) =>
  db.run(sql`update icosa.name_changes set state = 'refused', changed_at = clock_timestamp() where ${among(names)}`)

/** Names that belong to another cell in the directory. */
export const listRefused = (db: ReadingDb): Promise<OwnedName[]> =>
  db.many(sql`select purpose, name, owner from icosa.name_changes where state = 'refused' order by 1, 2, 3 limit 1000`)

/** Notes that a name is about to be reserved. Returns whether it is, and waits to be used. */
export async function ask(db: Db, { purpose, name, owner }: OwnedName): Promise<boolean> {
  const { state } = await db.one<{ state: string }>(sql`
    insert into icosa.name_changes as change (purpose, name, owner, state) values (${purpose}, ${name}, ${owner}, 'asked')
    on conflict (purpose, name, owner) do update set changed_at = excluded.changed_at,
      state = case change.state when 'granted' then 'granted' else 'asked' end
    returning state`)
  return state === 'granted'
}

/** Lets a transaction use a reserved name. Returns false if that took so long that the reservation was given up. */
export const grant = async (db: Db, { purpose, name, owner }: OwnedName): Promise<boolean> =>
  (await db.run(sql`
    update icosa.name_changes set state = 'granted'
    where purpose = ${purpose} and name = ${name} and owner = ${owner} and state in ('asked', 'granted')`)) > 0

/**
 * Makes the database one of the directory: from now on, its new names are reserved there. Waits for transactions that
 * have written some, and gives tags to tenants that have names but no credentials.
 */
export async function enterDirectory(db: Db, cell: string, now: Date): Promise<void> {
  await db.script("set local lock_timeout = '5s'; lock table icosa.names in share row exclusive mode")
  await db.run(sql`
    insert into icosa.tenants (id, created_at)
    select distinct tenant, ${now}::timestamptz from icosa.names on conflict do nothing`)
  await db.run(sql`insert into icosa.cell (name) values (${cell}) on conflict (only_row) do nothing`)
}

export const leaveDirectory = async (db: Db): Promise<void> => {
  await db.script('delete from icosa.cell; delete from icosa.name_changes')
}

/** A page of the names of the cell's tenants: their tags, or all others, in the order of their keys. */
export const listNames = (
  db: ReadingDb,
  what: 'tags' | 'others',
  after: OwnedName | undefined,
  limit: number,
): Promise<OwnedName[]> =>
  db.many(sql`
    select purpose, name, tenant as owner from icosa.names
    where (purpose, name) > (${after?.purpose ?? ''}, ${after?.name ?? ''})
      and ${what === 'tags' ? sql`purpose = 'tag'` : sql`purpose <> 'tag'`}
      and tenant not in (select id from icosa.tenant_states where state = 'moved')
    order by purpose, name limit ${limit}`)
