import { type ReadingDb, sql } from '@icosa/kernel'

/** For each shelf, the last episode before a time, or else the first after it. */
export async function episodesAround(db: ReadingDb, shelves: readonly string[], timeMs: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select coalesce(
      (select id from podcast_directory.documents d where d.shelf = requested.shelf and place <= ${timeMs}
        order by place desc, id limit 1),
      (select id from podcast_directory.documents d where d.shelf = requested.shelf and place > ${timeMs}
        order by place, id desc limit 1)) as id
    from unnest(${shelves}::text[]) as requested(shelf)`)
  return rows.flatMap(({ id }) => id ?? [])
}
