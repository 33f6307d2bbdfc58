import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** A mirrored path, with the date and the number of pages of its last response. */
export interface Mirrored {
  readonly path: string
  readonly lastModified: string
  readonly pages: number
}

export async function mirroredPaths(db: ReadingDb, tenant: string, season: number): Promise<Map<string, Mirrored>> {
  const rows = await db.many<Mirrored>(sql`
    select path, last_modified as "lastModified", pages from robotics_statistics.mirrored
    where tenant = ${tenant} and season = ${season}`)
  return new Map(rows.map((row) => [row.path, row]))
}

export async function putMirrored(db: Db, tenant: string, season: number, all: readonly Mirrored[]): Promise<void> {
  await db.run(sql`
    insert into robotics_statistics.mirrored (tenant, season, path, last_modified, pages)
    select ${tenant}, ${season}, path, last_modified, pages
    from unnest(${all.map(({ path }) => path)}::text[], ${all.map(({ lastModified }) => lastModified)}::text[],
      ${all.map(({ pages }) => pages)}::integer[]) as fetched (path, last_modified, pages)
    on conflict (tenant, season, path) do update
      set last_modified = excluded.last_modified, pages = excluded.pages`)
}
