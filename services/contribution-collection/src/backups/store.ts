import { type Db, type ReadingDb, raw, type Sql, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'

const table = (name: string) => `contribution_collection.${name}`

export const assignmentTable = table('assignments')
export const contributionTable = table('contributions')
export const mediaTable = table('media')
export const responseTable = table('form_responses')
/** Tables of a contribution's own rows, in the order of restoring. */
export const partTables = ['like_counts', 'likes', 'flags', 'moderations', 'media_usages'].map(table)

const partOrder: Readonly<Record<string, string>> = {
  [table('like_counts')]: 'contribution',
  [table('likes')]: 'contribution, user_id',
  [table('flags')]: 'contribution, id',
  [table('moderations')]: 'contribution, id',
  [table('media_usages')]: 'contribution, position',
}

/**
 * An assignment with its contributions and their files, without users, tags, forms and subscriptions. Word hashes are text,
 * since they have 64 bits and a JavaScript number has fewer.
 */
export function rowsOf(tenant: string, id: string): RowsOf[] {
  const contributions = sql`
    select id from contribution_collection.contributions
    where tenant = ${tenant} and assignment = ${id} and deleted_at is null`
  const inThem = sql`tenant = ${tenant} and contribution in (${contributions})`
  const media = sql`
    select media from contribution_collection.media_usages where ${inThem}
    union select cover from contribution_collection.assignments where tenant = ${tenant} and id = ${id}`
  return [
    ownRows(assignmentTable, sql`tenant = ${tenant} and id = ${id}`, 'id', ['tenant', 'url_words', 'restored_by']),
    {
      table: contributionTable,
      rows: sql`
        select to_jsonb(c) - ${['tenant', 'assignment']}::text[] || jsonb_build_object('words', words::text[]) as line
        from contribution_collection.contributions as c
        where tenant = ${tenant} and assignment = ${id} and deleted_at is null order by id`,
    },
    ownRows(mediaTable, sql`tenant = ${tenant} and id in (${media})`, 'id', ['tenant']),
    ...partTables.map((part) => ownRows(part, inThem, partOrder[part] ?? '', ['tenant'])),
    ownRows(responseTable, inThem, 'id', ['tenant']),
  ]
}

export async function restoredBy(db: ReadingDb, tenant: string, restore: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select id::text as id from contribution_collection.assignments
    where tenant = ${tenant} and restored_by = ${restore} and deleted_at is null`)
  return row?.id
}

export async function areWordsTaken(db: ReadingDb, tenant: string, owner: string, urlWords: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from contribution_collection.assignments
    where tenant = ${tenant} and owner = ${owner} and url_words = ${urlWords} and deleted_at is null`)
  return row !== undefined
}

const tableOf = (name: string): Sql => raw(name)

export async function idsInUse(
  db: ReadingDb,
  tenant: string,
  name: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.many<{ id: number }>(sql`
    select id::float8 as id from ${tableOf(name)} where tenant = ${tenant} and id = any(${ids}::bigint[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Reserves `count` new ids. */
export async function newIds(db: Db, name: string, count: number): Promise<number[]> {
  const rows = await db.many<{ id: number }>(sql`
    select nextval(pg_get_serial_sequence(${name}, 'id'))::float8 as id from generate_series(1, ${count}::int)`)
  return rows.map(({ id }) => id)
}

export async function formsAmong(db: ReadingDb, tenant: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  return idsInUse(db, tenant, table('forms'), ids)
}
