import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Located } from '../geo/place.ts'
import { type Asked, seenBy } from '../search/conditions-store.ts'
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
  /** The headline as an address has it; the id comes behind it. */
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

/** Puts files into a contribution, in their order. */
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

/** If the asker may see it. */
export function find(db: ReadingDb, asked: Asked, id: string): Promise<ContributionRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.contributions as c
    where c.tenant = ${asked.tenant} and c.id = ${id} and ${seenBy(asked)}`)
}

/** The same for whoever changes it: others wait. */
export function findForUpdate(db: Db, asked: Asked, id: string): Promise<ContributionRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.contributions as c
    where c.tenant = ${asked.tenant} and c.id = ${id} and ${seenBy(asked)} for update of c`)
}

/** One that is not deleted, for the service itself. */
export function findOwn(db: ReadingDb, tenant: string, id: string): Promise<ContributionRow | undefined> {
  return db.maybe(sql`
    select ${columns} from contribution_collection.contributions as c
    where c.tenant = ${tenant} and c.id = ${id} and c.deleted_at is null`)
}

/** Whether all of it is in the jurisdiction of a user who only moderates an assignment. */
export async function moderates(db: ReadingDb, tenant: string, user: string, assignments: readonly string[]) {
  const rows = await db.many<{ id: string }>(sql`
    select id::text as id from contribution_collection.assignments
    where tenant = ${tenant} and moderator = ${user} and id = any(${assignments}::bigint[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Those that everybody may see. */
export async function publicOnes(
  db: ReadingDb,
  { tenant, now }: Pick<Asked, 'tenant' | 'now'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ id: string }>(sql`
    select c.id::text as id from contribution_collection.contributions as c
    join contribution_collection.assignments as a on a.tenant = c.tenant and a.id = c.assignment
    where c.tenant = ${tenant} and c.id = any(${ids}::bigint[]) and c.is_public and a.deleted_at is null
      and (a.embargo is null or a.embargo <= ${now})`)
  return new Set(rows.map(({ id }) => id))
}

/** From now on nobody sees it. */
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

/** What has become of it, and why: together. */
export async function moderate(db: Db, tenant: string, one: NewModeration, at: Date): Promise<void> {
  await db.run(sql`
    with moderated as (
      update contribution_collection.contributions set state = ${one.after}, is_public = ${one.isPublic}
      where tenant = ${tenant} and id = ${one.contribution})
    insert into contribution_collection.moderations (tenant, contribution, moderator, action, state_before, notes,
      moderated_at)
    values (${tenant}, ${one.contribution}, ${one.moderator}, ${one.action}, ${one.before}, ${one.notes}, ${at})`)
}

export interface ModerationRow {
  readonly contribution: string
  readonly action: Action
  readonly notes: string | null
  readonly at: Date
}

/** The oldest first. */
export function moderationsOf(db: ReadingDb, tenant: string, contributions: readonly string[]) {
  return db.many<ModerationRow>(sql`
    select contribution::text as contribution, action, notes, moderated_at as at
    from contribution_collection.moderations
    where tenant = ${tenant} and contribution = any(${contributions}::bigint[]) order by contribution, id`)
}
