import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** Counts each user once, in one statement: concurrent likes wait only briefly for the counter. */
export async function like(db: Db, tenant: string, contribution: string, user: string, at: Date): Promise<number> {
  const { likes } = await db.one<{ likes: string }>(sql`
    with met as (
      insert into contribution_collection.users (tenant, id, registered_at) values (${tenant}, ${user}, ${at})
      on conflict do nothing),
    liked as (
      insert into contribution_collection.likes (tenant, contribution, user_id, liked_at)
      values (${tenant}, ${contribution}, ${user}, ${at}) on conflict do nothing returning 1)
    insert into contribution_collection.like_counts as n (tenant, contribution, likes)
    select ${tenant}, ${contribution}::bigint, count(*) from liked
    on conflict (tenant, contribution) do update set likes = n.likes + excluded.likes returning likes::text as likes`)
  return Number(likes)
}

/** Oldest like first. */
export async function likers(db: ReadingDb, tenant: string, contribution: string): Promise<string[]> {
  const rows = await db.many<{ user: string }>(sql`
    select user_id as user from contribution_collection.likes
    where tenant = ${tenant} and contribution = ${contribution} order by liked_at, user_id limit 10000`)
  return rows.map(({ user }) => user)
}

export interface FlagRow {
  readonly id: string
  readonly type: string | null
  readonly email: string | null
  readonly notes: string | null
  readonly at: Date
}

export interface NewFlag extends Omit<FlagRow, 'id' | 'at'> {
  readonly contribution: string
  readonly user: string
}

export function insertFlag(db: Db, tenant: string, flag: NewFlag, at: Date): Promise<FlagRow> {
  return db.one(sql`
    insert into contribution_collection.flags (tenant, contribution, user_id, type, email, notes, flagged_at)
    values (${tenant}, ${flag.contribution}, ${flag.user}, ${flag.type}, ${flag.email}, ${flag.notes}, ${at})
    returning id::text as id, type, email, notes, flagged_at as at`)
}

export function flagsOf(db: ReadingDb, tenant: string, contribution: string): Promise<FlagRow[]> {
  return db.many(sql`
    select id::text as id, type, email, notes, flagged_at as at from contribution_collection.flags
    where tenant = ${tenant} and contribution = ${contribution} order by id limit 10000`)
}

/** Contributions without likes are left out. */
export async function likeCounts(
  db: ReadingDb,
  tenant: string,
  contributions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.many<{ id: string; likes: string }>(sql`
    select contribution::text as id, likes::text as likes from contribution_collection.like_counts
    where tenant = ${tenant} and contribution = any(${contributions}::bigint[])`)
  return new Map(rows.map(({ id, likes }) => [id, Number(likes)]))
}
