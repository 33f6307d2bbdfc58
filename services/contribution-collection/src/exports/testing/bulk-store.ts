import { type Db, sql } from '@icosa/kernel'

export interface Bulk {
  readonly tenant: string
  readonly contributions: number
  readonly size: number
  readonly crc32: number
  readonly sha256: Buffer
}

/** Inserts public contributions, each with its own film at the blob key `bulk/<n>/original`. */
export async function insertBulk(db: Db, { tenant, contributions, size, crc32, sha256 }: Bulk): Promise<void> {
  await db.run(sql`
    insert into contribution_collection.users (tenant, id, registered_at) values (${tenant}, 'bulk', now())
    on conflict do nothing`)
  const { id: assignment } = await db.one<{ id: string }>(sql`
    insert into contribution_collection.assignments (tenant, owner, name, url_words, created_at)
    values (${tenant}, 'bulk', 'Bulk', 'bulk', now()) returning id::text as id`)
  await db.run(sql`
    with files as (
      insert into contribution_collection.media (tenant, owner, type, content_type, size, sha256, crc32, blob, status,
        variants, created_at, updated_at)
      select ${tenant}, 'bulk', 'video', 'video/mp4', ${size}::bigint, ${sha256}, ${crc32}::bigint, 'bulk/' || n || '/original', 'ready',
        '[]', now(), now()
      from generate_series(1, ${contributions}::integer) as n returning id, blob),
    sent as (
      insert into contribution_collection.contributions (tenant, assignment, author, owner, state, is_public, created_at,
        headline, body, attribution, url_words, words, media_types, authority)
      select ${tenant}, ${assignment}::bigint, 'bulk', 'bulk', 'approved', true, now() - n * interval '1 second',
        'Contribution ' || n, 'Something that somebody saw.', 'Somebody', 'contribution-' || n, '{}', '{video}', 'bulk'
      from generate_series(1, ${contributions}::integer) as n returning id, url_words)
    insert into contribution_collection.media_usages (tenant, contribution, position, media)
    select ${tenant}, sent.id, 1, files.id from sent
    join files on files.blob = replace(sent.url_words, 'contribution-', 'bulk/') || '/original'`)
}
