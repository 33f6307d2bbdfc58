import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Geography } from './geography.ts'

/** With the extension PostGIS, and its index, which `icosa contributions postgis` makes. */
export const postgis: Geography = {
  name: 'postgis',
  // A little more than the circle: what counts is the distance that is compared afterwards, as without PostGIS.
  around: ({ latitude, longitude, radiusKm }) => sql`
    (c.latitude is not null and st_dwithin(geography(st_makepoint(c.longitude, c.latitude)),
      geography(st_makepoint(${longitude}::float8, ${latitude}::float8)), ${radiusKm * 1001 + 1}::float8, false))`,
}

export async function hasExtension(db: ReadingDb): Promise<boolean> {
  return (await db.maybe(sql`select from pg_extension where extname = 'postgis'`)) !== undefined
}

/** Whether the server has both. */
export async function hasPostgis(db: ReadingDb): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (select from pg_extension where extname = 'postgis')
      and exists (select from pg_indexes
        where schemaname = 'contribution_collection' and indexname = 'contributions_by_point') as found`)
  return found
}

/** Needs the extension, which only an administrator of the server can install. */
export async function indexPoints(db: Db): Promise<void> {
  await db.run(sql`
    create index if not exists contributions_by_point on contribution_collection.contributions
    using gist (geography(st_makepoint(longitude, latitude))) where latitude is not null`)
}
