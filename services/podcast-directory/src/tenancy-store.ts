import { type ReadingDb, sql } from '@icosa/kernel'

export async function thumbnailsOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ thumbnail: string }>(sql`
    select thumbnail from podcast_directory.podcasts where tenant = ${tenant} and thumbnail is not null`)
  return rows.map(({ thumbnail }) => thumbnail)
}
