import { type ReadingDb, sql } from '@icosa/kernel'

/** Tenant of a podcast. */
export async function ownerOf(db: ReadingDb, podcast: string): Promise<string> {
  const { tenant } = await db.one<{ tenant: string }>(sql`
    select tenant from podcast_directory.podcasts where id = ${podcast}`)
  return tenant
}
