import type { Links } from '../links.ts'

/** The addresses of lists, beside those of what stands in them. */
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
