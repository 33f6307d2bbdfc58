import { type Db, lockName, type ReadingDb, sql } from '@icosa/kernel'
import type { Item } from '../answers/store.ts'
import type { ListName } from '../season/lists.ts'

export interface Scope {
  readonly tenant: string
  readonly season: number
  readonly scope: string
}

/** Serializes a tenant's imports from version to commit, so that nodes see them in order. Returns the next version. */
export async function lockSeasons(db: Db, tenant: string): Promise<number> {
  await lockName(db, `robotics seasons of ${tenant}`)
  const { version } = await db.one<{ version: number }>(sql`
    select (coalesce(max(version), 0) + 1)::float8 as version from robotics_statistics.lists where tenant = ${tenant}`)
  return version
}

export interface StoredItem extends Item {
  readonly position: number
}

export interface StoredList {
  readonly modified: number
  readonly given: boolean
  readonly items: readonly StoredItem[]
}

export async function findLists(
  db: ReadingDb,
  { tenant, season, scope }: Scope,
  names: readonly ListName[],
): Promise<Map<string, StoredList>> {
  const states = await db.many<{ list: string; modified: string; given: boolean }>(sql`
    select list, modified::text, given from robotics_statistics.lists
    where tenant = ${tenant} and season = ${season} and scope = ${scope} and list = any(${names})`)
  const rows = await db.many<StoredItem & { list: string; modified: string }>(sql`
    select list, key, position, content, teams, modified::text from robotics_statistics.items
    where tenant = ${tenant} and season = ${season} and scope = ${scope} and list = any(${names})
    order by list, position`)
  const byList = Map.groupBy(rows, ({ list }) => list)
  return new Map(
    states.map(({ list, modified, given: isGiven }) => {
      const items = (byList.get(list) ?? []).map(({ list: _, ...item }) => ({
        ...item,
        modified: Number(item.modified),
      }))
      return [list, { modified: Number(modified), given: isGiven, items }]
    }),
  )
}

/** Returns the contents of a list by scope. */
export async function contentsOf(
  db: ReadingDb,
  { tenant, season }: Omit<Scope, 'scope'>,
  list: ListName,
  scopes: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.many<{ scope: string; content: string }>(sql`
    select scope, content from robotics_statistics.items
    where tenant = ${tenant} and season = ${season} and list = ${list} and scope = any(${scopes})
    order by scope, position`)
  const byScope = Map.groupBy(rows, ({ scope }) => scope)
  return new Map([...byScope].map(([scope, all]) => [scope, all.map(({ content }) => content)]))
}

export async function contentsByKey(
  db: ReadingDb,
  { tenant, season, scope }: Scope,
  list: ListName,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await db.many<{ content: string }>(sql`
    select content from robotics_statistics.items where tenant = ${tenant} and season = ${season} and list = ${list}
      and scope = ${scope} and key = any(${keys}) order by position`)
  return rows.map(({ content }) => content)
}

/** Creates scopes with an empty list, unless they exist. */
export async function openScopes(
  db: Db,
  { tenant, season }: Omit<Scope, 'scope'>,
  scopes: readonly string[],
  list: ListName,
  { version, modified }: Stamp,
): Promise<void> {
  await db.run(sql`
    insert into robotics_statistics.lists (tenant, season, scope, list, version, modified, given)
    select ${tenant}, ${season}, scope, ${list}, ${version}, ${modified}, false from unnest(${scopes}::text[]) as scope
    on conflict do nothing`)
}

export async function putItems(db: Db, { tenant, season, scope }: Scope, list: string, items: readonly StoredItem[]) {
  if (items.length === 0) return
  await db.run(sql`
    insert into robotics_statistics.items (tenant, season, list, scope, key, position, content, teams, modified)
    select ${tenant}, ${season}, ${list}, ${scope}, key, position, content,
      array(select jsonb_array_elements_text(teams)::integer), modified
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as item (key text, position integer, content text, teams jsonb, modified bigint)
    on conflict (tenant, season, list, scope, key) do update
      set position = excluded.position, content = excluded.content, teams = excluded.teams, modified = excluded.modified`)
}

export async function deleteItems(db: Db, { tenant, season, scope }: Scope, list: string, keys: readonly string[]) {
  if (keys.length === 0) return
  await db.run(sql`
    delete from robotics_statistics.items
    where tenant = ${tenant} and season = ${season} and list = ${list} and scope = ${scope} and key = any(${keys})`)
}

export interface Stamp {
  readonly version: number
  readonly modified: number
}

export async function putState(
  db: Db,
  { tenant, season, scope }: Scope,
  list: string,
  { version, modified }: Stamp,
  isGiven: boolean,
): Promise<void> {
  await db.run(sql`
    insert into robotics_statistics.lists (tenant, season, scope, list, version, modified, given)
    values (${tenant}, ${season}, ${scope}, ${list}, ${version}, ${modified}, ${isGiven})
    on conflict (tenant, season, scope, list) do update set version = excluded.version,
      modified = greatest(excluded.modified, robotics_statistics.lists.modified + 1), given = excluded.given`)
}

export interface NewAnswer {
  readonly part: string
  readonly etag: string
  readonly items: number
  readonly gzip: Uint8Array
  readonly br: Uint8Array
}

/** Replaces all answers of a list. */
export async function putAnswers(
  db: Db,
  { tenant, season, scope }: Scope,
  list: string,
  { version, modified }: Stamp,
  answers: readonly NewAnswer[],
): Promise<void> {
  const parts = answers.map(({ part }) => part)
  await db.run(sql`
    delete from robotics_statistics.answers where tenant = ${tenant} and season = ${season} and scope = ${scope}
      and list = ${list} and not part = any(${parts})`)
  await db.run(sql`
    insert into robotics_statistics.answers
      (tenant, season, scope, list, part, version, modified, etag, items, gzip, br)
    select ${tenant}, ${season}, ${scope}, ${list}, part, ${version}, ${modified}, etag, items, gzip, br
    from unnest(${parts}::text[], ${answers.map(({ etag }) => etag)}::text[], ${answers.map(({ items }) => items)}::integer[],
      ${answers.map(({ gzip }) => gzip)}::bytea[], ${answers.map(({ br }) => br)}::bytea[])
      as answer (part, etag, items, gzip, br)
    on conflict (tenant, season, scope, list, part) do update set version = excluded.version,
      modified = excluded.modified, etag = excluded.etag, items = excluded.items, gzip = excluded.gzip, br = excluded.br`)
}
