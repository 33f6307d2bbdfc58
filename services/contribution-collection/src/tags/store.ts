import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { type Page, readWindow, type Window } from '../paging/store.ts'

export interface TagRow {
  readonly id: string
  readonly name: string
  readonly urlWords: string
  readonly colour: string | null
  readonly tagSet: { readonly id: string; readonly name: string; readonly urlWords: string } | null
}

/** A tag with its set, of `tags as t`. */
const tagColumns: Sql = sql`
  t.id::text as id, t.name, t.url_words as "urlWords", t.colour,
  (select json_build_object('id', s.id::text, 'name', s.name, 'urlWords', s.url_words)
    from contribution_collection.tag_sets as s where s.tenant = t.tenant and s.id = t.tag_set) as "tagSet"`

/** The existing tags among these ids. */
export async function tagsByIds(
  db: ReadingDb,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TagRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.many<TagRow>(sql`
    select ${tagColumns} from contribution_collection.tags as t
    where t.tenant = ${tenant} and t.id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface TagFilter {
  readonly ownedBy?: string | undefined
  readonly tagSet?: string | undefined
  readonly urlWords?: string | undefined
}

const optional = (value: string | undefined) => value ?? null
const idOf = (text: string | undefined) => (text === undefined ? null : /^[1-9]\d{0,17}$/.test(text) ? text : '0')

/** Ordered by name. */
export function listTags(db: ReadingDb, tenant: string, filter: TagFilter, window: Window): Promise<Page<TagRow>> {
  const [owner, words, set] = [optional(filter.ownedBy), optional(filter.urlWords), idOf(filter.tagSet)]
  const from = sql`contribution_collection.tags as t
    where t.tenant = ${tenant} and (${owner}::text is null or t.owner = ${owner})
      and (${words}::text is null or t.url_words = ${words}) and (${set}::bigint is null or t.tag_set = ${set}::bigint)`
  return readWindow(db, { columns: tagColumns, from, order: sql`t.name, t.id` }, window)
}

export interface NewTag {
  readonly owner: string
  readonly name: string
  readonly urlWords: string
  readonly colour: string | null
  readonly tagSet: string | null
}

/** Undefined if its owner already has one with these URL words. */
export function insertTag(db: Db, tenant: string, tag: NewTag): Promise<TagRow | undefined> {
  return db.maybe(sql`
    insert into contribution_collection.tags as t (tenant, owner, tag_set, name, url_words, colour)
    values (${tenant}, ${tag.owner}, ${tag.tagSet}, ${tag.name}, ${tag.urlWords}, ${tag.colour})
    on conflict do nothing returning ${tagColumns}`)
}

export interface TagSetRow {
  readonly id: string
  readonly name: string
  readonly urlWords: string
}

const setColumns: Sql = sql`s.id::text as id, s.name, s.url_words as "urlWords"`

export function listTagSets(
  db: ReadingDb,
  tenant: string,
  filter: Omit<TagFilter, 'tagSet'>,
  window: Window,
): Promise<Page<TagSetRow>> {
  const [owner, words] = [optional(filter.ownedBy), optional(filter.urlWords)]
  const from = sql`contribution_collection.tag_sets as s
    where s.tenant = ${tenant} and (${owner}::text is null or s.owner = ${owner})
      and (${words}::text is null or s.url_words = ${words})`
  return readWindow(db, { columns: setColumns, from, order: sql`s.name, s.id` }, window)
}

export function findTagSet(db: ReadingDb, tenant: string, id: string): Promise<TagSetRow | undefined> {
  return db.maybe(sql`
    select ${setColumns} from contribution_collection.tag_sets as s where s.tenant = ${tenant} and s.id = ${id}`)
}

/** Undefined if its owner already has one with these URL words. */
export function insertTagSet(
  db: Db,
  tenant: string,
  set: Omit<TagSetRow, 'id'> & { readonly owner: string },
): Promise<TagSetRow | undefined> {
  return db.maybe(sql`
    insert into contribution_collection.tag_sets as s (tenant, owner, name, url_words)
    values (${tenant}, ${set.owner}, ${set.name}, ${set.urlWords}) on conflict do nothing returning ${setColumns}`)
}
