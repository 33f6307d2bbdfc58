import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Figures, Score } from './score.ts'

export interface ScoredFigures extends Figures {
  /** Current score. */
  readonly score: number | null
  readonly globalRank: string | null
}

const days = 30

/** Figures of a tenant's listed podcasts. */
export function figures(db: ReadingDb, tenant: string, now: Date): Promise<ScoredFigures[]> {
  return db.many(sql`
    select p.id, coalesce(v.visits, 0)::float8 as visits, p.total_episodes as episodes,
      p.latest_pub_date_ms::float8 as "latestPubDateMs", p.listen_score as score,
      p.listen_score_global_rank as "globalRank"
    from podcast_directory.podcasts p left join (
      select podcast_id, sum(visits) as visits from podcast_directory.visits
      where tenant = ${tenant} and day > (${now}::timestamptz at time zone 'utc')::date - ${days}::integer
      group by 1) v on v.podcast_id = p.id
    where p.tenant = ${tenant} and p.status = 'listed'`)
}

export async function setScores(db: Db, tenant: string, scores: readonly Score[]): Promise<void> {
  await db.run(sql`
    update podcast_directory.podcasts p set listen_score = s.score, listen_score_global_rank = s."globalRank"
    from jsonb_to_recordset(${JSON.stringify(scores)}) as s(id text, score integer, "globalRank" text)
    where p.tenant = ${tenant} and p.id = s.id`)
}
