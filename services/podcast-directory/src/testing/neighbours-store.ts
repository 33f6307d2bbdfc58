import { type Db, sql } from '@icosa/kernel'

export async function statusOf(db: Db, id: string): Promise<string> {
  const { status } = await db.one<{ status: string }>(
    sql`select status from podcast_directory.podcasts where id = ${id}`,
  )
  return status
}

/** How many feeds of a tenant are still to be read. */
export async function unreadOf(db: Db, tenant: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from podcast_directory.podcasts where tenant = ${tenant} and status = 'in review'`)
  return count
}

export async function deadlocks(db: Db): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
  )
  return count
}
