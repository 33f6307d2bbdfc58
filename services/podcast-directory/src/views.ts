import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Media',
  resources: {
    getBestPodcasts: {
      title: 'Podcasts',
      about: 'Podcasts by popularity. To add one, submit the URL of its feed.',
      columns: ['title', 'publisher', 'country', 'language', 'listen_score', 'time:latest_pub_date_ms'],
      get: 'getPodcastById',
      key: { id: 'id' },
      create: 'submitPodcast',
      delete: 'deletePodcastById',
      actions: ['refreshRss'],
      labels: { refreshRss: 'Refresh feed' },
      example: { rss: 'https://feeds.example.com/show.xml' },
      panels: [
        {
          title: 'Episodes',
          show: {
            as: 'media',
            items: 'episodes',
            url: 'audio',
            title: 'title',
            seconds: 'audio_length_sec',
            time: 'pub_date_ms',
          },
        },
        {
          title: 'Similar',
          operation: 'getPodcastRecommendations',
          show: { as: 'table', rows: 'recommendations' },
          columns: ['title', 'publisher', 'listen_score'],
        },
      ],
    },
    getCuratedPodcasts: {
      title: 'Curated lists',
      about: 'Lists of podcasts chosen by editors.',
      columns: ['title', 'source_domain', 'total', 'time:pub_date_ms'],
    },
    getPlaylists: {
      title: 'Playlists',
      type: 'podcast-directory/playlists',
      about: 'Playlists of episodes or podcasts.',
      columns: ['name', 'visibility', 'episode_count', 'podcast_count', 'time:last_timestamp_ms'],
      panels: [
        {
          title: 'Items',
          show: {
            as: 'media',
            items: 'items',
            url: 'data.audio',
            title: 'data.title',
            seconds: 'data.audio_length_sec',
            time: 'added_at_ms',
          },
        },
      ],
    },
    getGenres: { title: 'Genres', about: 'Podcasts are classified by genre.', columns: ['name', 'id', 'parent_id'] },
  },
  panels: [
    {
      title: 'Search',
      operation: 'search',
      ask: { q: 'science' },
      query: { type: 'episode' },
      show: {
        as: 'media',
        items: 'results',
        url: 'audio',
        title: 'title_original',
        seconds: 'audio_length_sec',
        time: 'pub_date_ms',
      },
    },
  ],
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
