import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Geography } from './geography.ts'

/** Needs PostGIS and the index created by `icosa contributions postgis`. */
export const postgis: Geography = {
  name: 'postgis',
  // A slightly larger circle, since the exact distance is checked afterwards.
  around: ({ latitude, longitude, radiusKm }) => sql`
    (c.latitude is not null and st_dwithin(geography(st_makepoint(c.longitude, c.latitude)),
      geography(st_makepoint(${longitude}::float8, ${latitude}::float8)), ${radiusKm * 1001 + 1}::float8, false))`,
}

export async function hasExtension(db: ReadingDb): Promise<boolean> {
  return (await db.maybe(sql`select from pg_extension where extname = 'postgis'`)) !== undefined
}

/** Whether both the extension and the index exist. */
export async function hasPostgis(db: ReadingDb): Promise<boolean> {
  const { exists } = await db.one<{ exists: boolean }>(sql`
    select exists (select from pg_extension where extname = 'postgis')
      and exists (select from pg_indexes
        where schemaname = 'contribution_collection' and indexname = 'contributions_by_point') as exists`)
  return exists
}

/** Needs the extension, which only a superuser can install. */
export async function indexPoints(db: Db): Promise<void> {
  await db.run(sql`
    create index if not exists contributions_by_point on contribution_collection.contributions
    using gist (geography(st_makepoint(longitude, latitude))) where latitude is not null`)
}
