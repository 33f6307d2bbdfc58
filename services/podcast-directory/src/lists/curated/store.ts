import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface CuratedList {
  readonly id: string
  /** 'operator', or the theme of a computed list. */
  readonly origin: string
  readonly title: string
  readonly description: string
  readonly sourceUrl: string
  readonly sourceDomain: string
  readonly pubDateMs: number
  readonly podcastIds: readonly string[]
}

const columns = sql`id, origin, title, description, source_url as "sourceUrl", source_domain as "sourceDomain",
  pub_date_ms::float8 as "pubDateMs", podcast_ids as "podcastIds"`

export function byIds(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<CuratedList[]> {
  return db.many(sql`
    select ${columns} from podcast_directory.curated_lists where tenant = ${tenant} and id = any(${ids})`)
}

/** Latest first. */
export async function page(
  db: ReadingDb,
  tenant: string,
  offset: number,
  limit: number,
): Promise<{ readonly lists: CuratedList[]; readonly total: number }> {
  const lists = await db.many<CuratedList>(sql`
    select ${columns} from podcast_directory.curated_lists where tenant = ${tenant}
    order by pub_date_ms desc, id offset ${offset} limit ${limit}`)
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::integer as total from podcast_directory.curated_lists where tenant = ${tenant}`)
  return { lists, total }
}

/** Writes changed lists, with a new publication time. Returns their ids. */
export async function write(db: Db, tenant: string, lists: readonly CuratedList[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    insert into podcast_directory.curated_lists as l (tenant, id, origin, title, description, source_url, source_domain,
      pub_date_ms, podcast_ids)
    select ${tenant}, id, origin, title, description, "sourceUrl", "sourceDomain", "pubDateMs", "podcastIds"
    from jsonb_to_recordset(${JSON.stringify(lists)}) as c(id text, origin text, title text, description text,
      "sourceUrl" text, "sourceDomain" text, "pubDateMs" bigint, "podcastIds" text[])
    order by id
    on conflict (tenant, id) do update set origin = excluded.origin, title = excluded.title,
      description = excluded.description, source_url = excluded.source_url, source_domain = excluded.source_domain,
      pub_date_ms = excluded.pub_date_ms, podcast_ids = excluded.podcast_ids
    where (l.title, l.description, l.source_url, l.podcast_ids)
      is distinct from (excluded.title, excluded.description, excluded.source_url, excluded.podcast_ids)
    returning id`)
  return rows.map(({ id }) => id)
}

/** Deletes all other computed lists. Returns their ids. */
export async function removeComputed(db: Db, tenant: string, keep: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    delete from podcast_directory.curated_lists
    where tenant = ${tenant} and origin <> 'operator' and id <> all(${keep}) returning id`)
  return rows.map(({ id }) => id)
}
