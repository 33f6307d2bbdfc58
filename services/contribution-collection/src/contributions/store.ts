import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Located } from '../geo/place.ts'
import { type SearchContext, visibleTo } from '../search/conditions-store.ts'
import type { Action, State } from './states.ts'

export interface ContributionRow {
  readonly id: string
  readonly assignment: string
  readonly author: string
  readonly owner: string
  readonly state: State
  readonly createdAt: Date
  readonly headline: string
  readonly body: string | null
  readonly attribution: string
  readonly urlWords: string
  readonly place: Located['place']
  readonly mediaTypes: readonly string[]
  readonly ipAddress: string | null
  readonly authority: string
}

/** Of `contributions as c`. */
export const columns: Sql = sql`
  c.id::text as id, c.assignment::text as assignment, c.author, c.owner, c.state, c.created_at as "createdAt",
  c.headline, c.body, c.attribution, c.url_words as "urlWords", c.place, c.media_types as "mediaTypes",
  c.ip_address as "ipAddress", c.authority`

export interface NewContribution
  extends Omit<ContributionRow, 'id' | 'createdAt' | 'urlWords' | 'place' | 'state'>,
    Located {
  /** The headline as part of a URL, to which the id is appended. */
  readonly slug: string
  readonly wordKeys: readonly string[]
}

export function insert(db: Db, tenant: string, row: NewContribution, at: Date): Promise<ContributionRow> {
  return db.one(sql`
    with next as (
      select nextval(pg_get_serial_sequence('contribution_collection.contributions', 'id')) as id)
    insert into contribution_collection.contributions as c (tenant, id, assignment, author, owner, state, is_public,
      created_at, headline, body, attribution, url_words, words, country, cell, cell_precision, latitude, longitude, place,
      media_types, ip_address, authority)
    overriding system value
    select ${tenant}, next.id, ${row.assignment}::bigint, ${row.author}, ${row.owner}, 'pending', false, ${at}::timestamptz,
      ${row.headline}, ${row.body}, ${row.attribution}, ${row.slug} || '-' || next.id, ${row.wordKeys}::bigint[],
      ${row.country}, ${row.cell}, ${row.cellPrecision}::smallint, ${row.latitude}::float8, ${row.longitude}::float8,
      ${row.place === null ? null : JSON.stringify(row.place)}::jsonb, ${row.mediaTypes}::text[], ${row.ipAddress},
      ${row.authority}
    from next returning ${columns}`)
}

/** Attaches files to a contribution, in this order. */
export async function insertUsages(
  db: Db,
  tenant: string,
  contribution: string,
  media: readonly string[],
): Promise<void> {
  await db.run(sql`
    insert into contribution_collection.media_usages (tenant, contribution, position, media)
    select ${tenant}, ${contribution}::bigint, sent.nth, sent.media
    from unnest(${media}::bigint[]) with ordinality as sent (media, nth)`)
}

export function find(db: ReadingDb, searchContext: SearchContext, id: string): Promise<ContributionRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.contributions as c
    where c.tenant = ${searchContext.tenant} and c.id = ${id} and ${visibleTo(searchContext)}`)
}

/** The same with a row lock. */
export function findForUpdate(db: Db, searchContext: SearchContext, id: string): Promise<ContributionRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.contributions as c
    where c.tenant = ${searchContext.tenant} and c.id = ${id} and ${visibleTo(searchContext)} for update of c`)
}

/** Finds one regardless of visibility, unless it is deleted. */
export function findOwn(db: ReadingDb, tenant: string, id: string): Promise<ContributionRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.contributions as c
    where c.tenant = ${tenant} and c.id = ${id} and c.deleted_at is null`)
}

/** Which of these assignments the user is the moderator of. */
export async function moderates(db: ReadingDb, tenant: string, user: string, assignments: readonly string[]) {
  const rows = await db.many<{ id: string }>(sql`
    select id::text as id from contribution_collection.assignments
    where tenant = ${tenant} and moderator = ${user} and id = any(${assignments}::bigint[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Which of these contributions are public. */
export async function publicIds(
  db: ReadingDb,
  { tenant, now }: Pick<SearchContext, 'tenant' | 'now'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select c.id::text as id from contribution_collection.contributions as c
    join contribution_collection.assignments as a on a.tenant = c.tenant and a.id = c.assignment
    where c.tenant = ${tenant} and c.id = any(${ids}::bigint[]) and c.is_public and a.deleted_at is null
      and (a.embargo is null or a.embargo <= ${now})`)
  return new Set(rows.map(({ id }) => id))
}

/** Hides it immediately. */
export async function markDeleted(db: Db, tenant: string, id: string, at: Date): Promise<void> {
  await db.run(sql`
    update contribution_collection.contributions set deleted_at = ${at}, is_public = false
    where tenant = ${tenant} and id = ${id}`)
}

export interface NewModeration {
  readonly contribution: string
  readonly moderator: string
  readonly action: Action
  readonly before: State
  readonly after: State
  readonly isPublic: boolean
  readonly notes: string | null
}

/** Writes the new state and the history in one statement. */
export async function moderate(db: Db, tenant: string, moderation: NewModeration, at: Date): Promise<void> {
  await db.run(sql`
    with moderated as (
      update contribution_collection.contributions set state = ${moderation.after}, is_public = ${moderation.isPublic}
      where tenant = ${tenant} and id = ${moderation.contribution})
    insert into contribution_collection.moderations (tenant, contribution, moderator, action, state_before, notes,
      moderated_at)
    values (${tenant}, ${moderation.contribution}, ${moderation.moderator}, ${moderation.action}, ${moderation.before},
      ${moderation.notes}, ${at})`)
}

export interface ModerationRow {
  readonly contribution: string
  readonly action: Action
  readonly notes: string | null
  readonly at: Date
}

/** Oldest first. */
export function moderationsOf(db: ReadingDb, tenant: string, contributions: readonly string[]) {
  return db.many<ModerationRow>(sql`
    select contribution::text as contribution, action, notes, moderated_at as at
    from contribution_collection.moderations
    where tenant = ${tenant} and contribution = any(${contributions}::bigint[]) order by contribution, id`)
}
