import { type ReadingDb, sql } from '@icosa/kernel'

export async function statusOf(db: ReadingDb, id: string): Promise<string> {
  const { status } = await db.one<{ status: string }>(
    sql`select status from podcast_directory.podcasts where id = ${id}`,
  )
  return status
}

export async function deadlocks(db: ReadingDb): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  )
  return count
}
