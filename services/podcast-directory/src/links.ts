/** The addresses under which the directory shows what it has. */
export interface Links {
  podcast(id: string): string
  episode(id: string): string
  /** Where a caller has an episode's feed read again, which puts a broken address right. */
  refresh(podcastId: string): string
  thumbnail(name: string): string
}

export function linksAt(publicUrl: string): Links {
  const root = publicUrl.replace(/\/$/, '')
  return {
    podcast: (id) => `${root}/podcasts/${id}`,
    episode: (id) => `${root}/episodes/${id}`,
    refresh: (podcastId) => `${root}/podcasts/${podcastId}/rss`,
    thumbnail: (name) => `${root}/artwork/${name}.jpg`,
  }
}
