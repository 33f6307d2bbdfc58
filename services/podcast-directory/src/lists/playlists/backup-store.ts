import { type ReadingDb, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'

export const playlistTable = 'podcast_directory.playlists'
export const itemTable = 'podcast_directory.playlist_items'

export const rowsOf = (tenant: string, id: string): RowsOf[] => [
  ownRows(playlistTable, sql`tenant = ${tenant} and id = ${id}`, 'id', ['tenant', 'id', 'name', 'restored_by']),
  ownRows(itemTable, sql`tenant = ${tenant} and playlist_id = ${id}`, 'id', ['tenant', 'playlist_id']),
]

/** The restore that created a playlist; undefined if there is no such playlist. */
export function originOf(db: ReadingDb, tenant: string, id: string) {
  return db.maybe<{ readonly restoredBy: string | null }>(sql`
    select restored_by as "restoredBy" from podcast_directory.playlists where tenant = ${tenant} and id = ${id}`)
}
