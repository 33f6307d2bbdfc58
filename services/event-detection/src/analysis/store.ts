import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Finding } from '../models/findings.ts'

export async function insert(
  db: Db,
  tenant: string,
  id: string,
  results: readonly Finding[],
  now: Date,
): Promise<void> {
  await db.run(sql`
    insert into event_detection.analyses (tenant, id, results, created_at)
    values (${tenant}, ${id}, ${JSON.stringify(results)}, ${now})`)
}

/** Undefined if missing or expired. */
export async function resultsOf(
  db: ReadingDb,
  tenant: string,
  id: string,
  since: Date,
): Promise<readonly Finding[] | undefined> {
  const row = await db.maybe<{ results: readonly Finding[] }>(sql`
    select results from event_detection.analyses where tenant = ${tenant} and id = ${id} and created_at >= ${since}`)
  return row?.results
}
