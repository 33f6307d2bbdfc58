import { type Db, empty, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { type Page, readWindow, type Window } from '../paging/store.ts'

export interface AssignmentRow {
  readonly id: string
  readonly owner: string
  readonly moderator: string | null
  readonly name: string
  readonly description: string | null
  readonly urlWords: string
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly embargo: Date | null
  readonly isFeatured: boolean
  readonly mediaRequired: boolean
  readonly allowsAnonymous: boolean
  readonly receiptMessage: string | null
  readonly callToAction: string | null
  readonly cover: string | null
  readonly tags: readonly string[]
  readonly createdAt: Date
}

/** The fields that a caller sets. */
export type NewAssignment = Omit<AssignmentRow, 'id' | 'createdAt'>

const columns: Sql = sql`
  a.id::text as id, a.owner, a.moderator, a.name, a.description, a.url_words as "urlWords", a.starts_at as "startsAt",
  a.ends_at as "endsAt", a.embargo, a.is_featured as "isFeatured", a.media_required as "mediaRequired",
  a.allows_anonymous as "allowsAnonymous", a.receipt_message as "receiptMessage", a.call_to_action as "callToAction",
  a.cover::text as cover, a.tags::text[] as tags, a.created_at as "createdAt"`

/** Undefined if its owner already has one with these URL words. */
export function insert(db: Db, tenant: string, row: NewAssignment, at: Date): Promise<AssignmentRow | undefined> {
  return db.maybe(sql`
    insert into contribution_collection.assignments as a (tenant, owner, moderator, name, description, url_words,
      starts_at, ends_at, embargo, is_featured, media_required, allows_anonymous, receipt_message, call_to_action, cover,
      tags, created_at)
    values (${tenant}, ${row.owner}, ${row.moderator}, ${row.name}, ${row.description}, ${row.urlWords}, ${row.startsAt},
      ${row.endsAt}, ${row.embargo}, ${row.isFeatured}, ${row.mediaRequired}, ${row.allowsAnonymous},
      ${row.receiptMessage}, ${row.callToAction}, ${row.cover}, ${row.tags}::bigint[], ${at})
    on conflict do nothing returning ${columns}`)
}

/** Undefined if its owner has another one with these URL words. */
export async function update(
  db: Db,
  tenant: string,
  id: string,
  row: NewAssignment,
): Promise<AssignmentRow | undefined> {
  return db.maybe(sql`
    update contribution_collection.assignments as a set moderator = ${row.moderator}, name = ${row.name},
      description = ${row.description}, url_words = ${row.urlWords}, starts_at = ${row.startsAt},
      ends_at = ${row.endsAt}, embargo = ${row.embargo}, is_featured = ${row.isFeatured},
      media_required = ${row.mediaRequired}, allows_anonymous = ${row.allowsAnonymous},
      receipt_message = ${row.receiptMessage}, call_to_action = ${row.callToAction}, cover = ${row.cover},
      tags = ${row.tags}::bigint[]
    where a.tenant = ${tenant} and a.id = ${id} and a.deleted_at is null and not exists (
      select from contribution_collection.assignments as other
      where other.tenant = a.tenant and other.owner = a.owner and other.url_words = ${row.urlWords}
        and other.deleted_at is null and other.id <> a.id)
    returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<AssignmentRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.id = ${id} and a.deleted_at is null`)
}

/** The same with a lock, so that it is not deleted before the transaction ends. */
export function findForUse(db: Db, tenant: string, id: string): Promise<AssignmentRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.id = ${id} and a.deleted_at is null for share`)
}

export async function byIds(
  db: ReadingDb,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AssignmentRow>> {
  const rows = await db.many<AssignmentRow>(sql`
    select ${columns} from contribution_collection.assignments as a
    where a.tenant = ${tenant} and a.id = any(${ids}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** False if it was already deleted. */
export async function markDeleted(db: Db, tenant: string, id: string, at: Date): Promise<boolean> {
  const marked = await db.run(sql`
    update contribution_collection.assignments set deleted_at = ${at}
    where tenant = ${tenant} and id = ${id} and deleted_at is null`)
  return marked > 0
}

export interface AssignmentFilter {
  readonly ownedBy?: string | undefined
  readonly q?: string | undefined
  readonly urlWords?: string | undefined
  readonly open?: boolean | undefined
  readonly alwaysOpen?: boolean | undefined
  readonly tag?: string | undefined
  readonly name?: string | undefined
}

function condition(tenant: string, filter: AssignmentFilter, now: Date): Sql {
  const { ownedBy, q, urlWords, open, alwaysOpen, tag, name } = filter
  const isOpen = sql`(a.ends_at is null or a.ends_at > ${now})`
  const parts = [
    sql`a.tenant = ${tenant} and a.deleted_at is null`,
    ownedBy === undefined ? empty : sql` and a.owner = ${ownedBy}`,
    urlWords === undefined ? empty : sql` and a.url_words = ${urlWords}`,
    name === undefined ? empty : sql` and a.name = ${name}`,
    q === undefined ? empty : sql` and strpos(lower(a.name || ' ' || coalesce(a.description, '')), lower(${q})) > 0`,
    open === undefined ? empty : open ? sql` and ${isOpen}` : sql` and not ${isOpen}`,
    alwaysOpen === undefined ? empty : sql` and (a.ends_at is null) = ${alwaysOpen}`,
    // An invalid id matches no tag.
    tag === undefined ? empty : sql` and a.tags @> array[${/^[1-9]\d{0,17}$/.test(tag) ? tag : '0'}::bigint]`,
  ]
  return parts.reduce((all, part) => sql`${all}${part}`)
}

export const list = (
  db: ReadingDb,
  tenant: string,
  filter: AssignmentFilter,
  now: Date,
  window: Window,
): Promise<Page<AssignmentRow>> =>
  readWindow(
    db,
    {
      columns,
      from: sql`contribution_collection.assignments as a where ${condition(tenant, filter, now)}`,
      order: sql`a.created_at desc, a.id desc`,
    },
    window,
  )
