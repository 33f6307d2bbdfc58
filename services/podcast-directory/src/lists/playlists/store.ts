import { type Db, empty, type ReadingDb, raw, sql } from '@icosa/kernel'

export interface Playlist {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly image: string
  readonly visibility: 'public' | 'unlisted' | 'private'
}

/** A playlist with totals of its items. */
export interface CountedPlaylist extends Playlist {
  readonly episodeCount: number
  readonly podcastCount: number
  readonly lengthSec: number
  /** When the latest item was added; 0 if empty. */
  readonly lastAddedMs: number
}

export type ItemType = 'episode' | 'podcast' | 'custom_audio'

export interface Item {
  readonly id: number
  readonly type: ItemType
  /** Id of the episode or podcast; empty for custom audio. */
  readonly ref: string
  readonly title: string
  readonly audio: string
  readonly image: string
  readonly notes: string
  readonly addedAtMs: number
  readonly publishedMs: number
  readonly lengthSec: number
}

const columns = sql`p.id, p.name, p.description, p.image, p.visibility, coalesce(counted.episodes, 0) as "episodeCount",
  coalesce(counted.podcasts, 0) as "podcastCount", coalesce(counted.length, 0) as "lengthSec",
  coalesce(counted.latest, 0) as "lastAddedMs"`

const counted = sql`lateral (
  select count(*) filter (where type <> 'podcast')::integer as episodes,
    count(*) filter (where type = 'podcast')::integer as podcasts,
    (sum(length_sec) filter (where type <> 'podcast'))::integer as length, max(added_at_ms)::float8 as latest
  from podcast_directory.playlist_items i where i.tenant = p.tenant and i.playlist_id = p.id) as counted`

export function find(db: ReadingDb, tenant: string, id: string): Promise<CountedPlaylist | undefined> {
  return db.maybe(sql`
    select ${columns} from podcast_directory.playlists p, ${counted} where p.tenant = ${tenant} and p.id = ${id}`)
}

export type PlaylistOrder = 'recent_added_first' | 'oldest_added_first' | 'name_a_to_z' | 'name_z_to_a'

const playlistOrders: Readonly<Record<PlaylistOrder, string>> = {
  recent_added_first: 'added_at desc, id',
  oldest_added_first: 'added_at, id',
  name_a_to_z: 'lower(name), id',
  name_z_to_a: 'lower(name) desc, id',
}

export async function page(
  db: ReadingDb,
  tenant: string,
  order: PlaylistOrder,
  offset: number,
  limit: number,
): Promise<{ readonly playlists: CountedPlaylist[]; readonly total: number }> {
  const by = raw(playlistOrders[order])
  const playlists = await db.many<CountedPlaylist>(sql`
    select ${columns} from (
      select *, row_number() over (order by ${by}) as nth from podcast_directory.playlists
      where tenant = ${tenant} order by ${by} offset ${offset} limit ${limit}) p, ${counted} order by p.nth`)
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::integer as total from podcast_directory.playlists where tenant = ${tenant}`)
  return { playlists, total }
}

export type ItemOrder =
  | 'recent_added_first'
  | 'oldest_added_first'
  | 'recent_published_first'
  | 'oldest_published_first'

const itemColumns = sql`id, type, ref, title, audio, image, notes, added_at_ms::float8 as "addedAtMs",
  published_ms::float8 as "publishedMs", length_sec as "lengthSec"`

/** Items after a time, including ties with the last one. */
export function items(
  db: ReadingDb,
  tenant: string,
  playlistId: string,
  types: readonly ItemType[],
  { order, after, limit }: { readonly order: ItemOrder; readonly after: number; readonly limit: number },
): Promise<Item[]> {
  const column = raw(order.endsWith('published_first') ? 'published_ms' : 'added_at_ms')
  const isDescending = order.startsWith('recent')
  const further = isDescending ? sql`${column} < ${after}` : sql`${column} > ${after}`
  return db.many(sql`
    select ${itemColumns} from podcast_directory.playlist_items
    where tenant = ${tenant} and playlist_id = ${playlistId} and type = any(${types}) ${after === 0 ? empty : sql`and ${further}`}
    order by ${column} ${raw(isDescending ? 'desc' : 'asc')} fetch first ${limit} rows with ties`)
}

export async function remove(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`delete from podcast_directory.playlist_items where tenant = ${tenant} and playlist_id = ${id}`)
  await db.run(sql`delete from podcast_directory.playlists where tenant = ${tenant} and id = ${id}`)
}

/** Writes a playlist with its items, replacing one with the same id. */
export async function write(
  db: Db,
  tenant: string,
  playlist: Playlist,
  all: readonly Item[],
  now: Date,
): Promise<void> {
  const { id, name, description, image, visibility } = playlist
  await db.run(sql`
    insert into podcast_directory.playlists (tenant, id, name, description, image, visibility, added_at)
    values (${tenant}, ${id}, ${name}, ${description}, ${image}, ${visibility}, ${now})
    on conflict (tenant, id) do update set name = excluded.name, description = excluded.description,
      image = excluded.image, visibility = excluded.visibility`)
  await db.run(sql`
    delete from podcast_directory.playlist_items where tenant = ${tenant} and playlist_id = ${id}`)
  await db.run(sql`
    insert into podcast_directory.playlist_items (tenant, playlist_id, id, type, ref, title, audio, image, notes,
      added_at_ms, published_ms, length_sec)
    select ${tenant}, ${id}, i.id, type, ref, title, audio, image, notes, "addedAtMs", "publishedMs", "lengthSec"
    from jsonb_to_recordset(${JSON.stringify(all)}) as i(id integer, type text, ref text, title text, audio text,
      image text, notes text, "addedAtMs" bigint, "publishedMs" bigint, "lengthSec" integer)`)
}
