import { type Db, lockName, type ReadingDb, sql } from '@icosa/kernel'
import type { Change } from './change.ts'

export type NewChange = Pick<Change, 'kind' | 'id'> & Partial<Pick<Change, 'deleted' | 'inherited'>>

/** Records changes, as the last step of their transaction. The lock until commit makes numbers visible in order. */
export async function record(db: Db, tenant: string, podcastId: string, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return
  await lockName(db, 'podcast-directory changes')
  await db.run(sql`
    insert into podcast_directory.changes (tenant, podcast_id, kind, id, deleted, inherited)
    select ${tenant}, ${podcastId}, kind, id, coalesce(deleted, false), coalesce(inherited, false)
    from jsonb_to_recordset(${JSON.stringify(changes)}) as c(kind text, id text, deleted boolean, inherited boolean)`)
}

/** Selects a row if there is any change to follow. */
export const anyChange = () => sql`select from podcast_directory.changes`

/** Changes after a number, in order. */
export function readAfter(db: ReadingDb, number: number, limit: number): Promise<Change[]> {
  return db.many(sql`
    select number::float8 as number, tenant, kind, id, podcast_id as "podcastId", deleted, inherited
    from podcast_directory.changes where podcast_directory.changes.number > ${number} order by changes.number
    limit ${limit}`)
}

/** Deletes processed changes. */
export function removeUpTo(db: Db, number: number): Promise<number> {
  return db.run(sql`delete from podcast_directory.changes where number <= ${number}`)
}

/** Has all podcasts and episodes of a tenant indexed. */
export async function indexAnew(db: Db, tenant: string): Promise<void> {
  await lockName(db, 'podcast-directory changes')
  await db.run(sql`
    insert into podcast_directory.changes (tenant, kind, id, podcast_id)
    select tenant, 'podcast', id, id from podcast_directory.podcasts where tenant = ${tenant}
    union all select tenant, 'episode', id, podcast_id from podcast_directory.episodes where tenant = ${tenant}`)
}
