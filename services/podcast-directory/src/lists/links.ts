import type { Links } from '../links.ts'

/** URLs of lists and of their items. */
export interface ListLinks extends Links {
  genre(id: number): string
  curatedList(id: string): string
  playlist(id: string): string
}

export function listLinksAt(publicUrl: string, links: Links): ListLinks {
  const root = publicUrl.replace(/\/$/, '')
  return {
    ...links,
    genre: (id) => `${root}/best_podcasts?genre_id=${id}`,
    curatedList: (id) => `${root}/curated_podcasts/${id}`,
    playlist: (id) => `${root}/playlists/${id}`,
  }
}
