import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Media',
  resources: {
    getBestPodcasts: {
      title: 'Podcasts',
      about: 'Podcasts by popularity. Submit the address of a feed to add one.',
      columns: ['title', 'publisher', 'country', 'language', 'listen_score', 'time:latest_pub_date_ms'],
      get: 'getPodcastById',
      key: { id: 'id' },
      create: 'submitPodcast',
      delete: 'deletePodcastById',
      actions: ['refreshRss'],
      example: { rss: 'https://feeds.example.com/show.xml' },
    },
    getCuratedPodcasts: {
      title: 'Curated lists',
      about: 'Lists of podcasts that editors chose.',
      columns: ['title', 'source_domain', 'total', 'time:pub_date_ms'],
    },
    getPlaylists: {
      title: 'Playlists',
      type: 'podcast-directory/playlists',
      about: 'Playlists of episodes or podcasts.',
      columns: ['name', 'visibility', 'episode_count', 'podcast_count', 'time:last_timestamp_ms'],
    },
    getGenres: { title: 'Genres', about: 'Genres of podcasts.', columns: ['name', 'id', 'parent_id'] },
  },
  others: [
    'getPodcastsByDomainName',
    'search',
    'searchEpisodeTitles',
    'spellcheck',
    'getPodcastAudience',
    'getPodcastRecommendations',
    'getEpisodeRecommendations',
  ],
}
