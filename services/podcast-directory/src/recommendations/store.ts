import { join, type ReadingDb, sql, varying } from '@icosa/kernel'
import type { Kind } from '../search/index/shelf.ts'

export type Vector = Readonly<Record<string, number>>

export interface Similar {
  readonly id: string
  readonly podcastId: string
  readonly telling: Vector
}

/** Significant words of a document. */
export async function tellingOf(db: ReadingDb, tenant: string, kind: Kind, id: string): Promise<Vector> {
  const row = await db.maybe<{ telling: Vector }>(sql`
    select telling from podcast_directory.documents where tenant = ${tenant} and kind = ${kind} and id = ${id}`)
  return row?.telling ?? {}
}

/** Documents that match these conditions, up to `limit` each. */
export function similar(db: ReadingDb, tsqueries: readonly string[], limit: number): Promise<Similar[]> {
  const each = tsqueries.map(
    (tsquery) => sql`(
      select id, podcast_id as "podcastId", telling from podcast_directory.documents
      where terms @@ ${tsquery}::tsquery order by place desc, id limit ${limit})`,
  )
  return db.many(varying(sql`${join(each, ' union all ')}`))
}

/** Podcasts visited by the same listeners, most visits first. */
export function heardTogether(
  db: ReadingDb,
  tenant: string,
  podcastId: string,
  limit: number,
): Promise<{ readonly podcastId: string; readonly visits: number }[]> {
  return db.many(sql`
    select other_id as "podcastId", visits from podcast_directory.together
    where tenant = ${tenant} and podcast_id = ${podcastId} order by visits desc, other_id limit ${limit}`)
}

/** The latest episode of each of these podcasts. */
export function latestEpisodes(db: ReadingDb, tenant: string, podcastIds: readonly string[]): Promise<Similar[]> {
  return db.many(sql`
    select d.id, d.podcast_id as "podcastId", d.telling
    from podcast_directory.podcasts p
      join podcast_directory.documents d on d.tenant = p.tenant and d.kind = 'episode' and d.id = p.latest_episode_id
    where p.tenant = ${tenant} and p.id = any(${podcastIds})`)
}
