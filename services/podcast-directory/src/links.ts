/** Public URLs of the directory. */
export interface Links {
  podcast(id: string): string
  episode(id: string): string
  /** Refreshes an episode's feed, for example to repair a broken URL. */
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
