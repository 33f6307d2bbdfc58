/** Types of the client, which has none. */
declare module 'podcast-api' {
  export type Method =
    | 'search'
    | 'searchEpisodeTitles'
    | 'typeahead'
    | 'spellcheck'
    | 'fetchRelatedSearches'
    | 'fetchTrendingSearches'
    | 'fetchBestPodcasts'
    | 'fetchPodcastById'
    | 'fetchEpisodeById'
    | 'batchFetchPodcasts'
    | 'batchFetchEpisodes'
    | 'fetchCuratedPodcastsListById'
    | 'fetchCuratedPodcastsLists'
    | 'fetchPodcastGenres'
    | 'fetchPodcastRegions'
    | 'fetchPodcastLanguages'
    | 'justListen'
    | 'fetchRecommendationsForPodcast'
    | 'fetchRecommendationsForEpisode'
    | 'fetchPlaylistById'
    | 'fetchMyPlaylists'
    | 'submitPodcast'
    | 'deletePodcast'
    | 'fetchAudienceForPodcast'
    | 'fetchPodcastsByDomain'

  export interface Answer {
    readonly status: number
    // biome-ignore lint/suspicious/noExplicitAny: any response of the service
    readonly data: any
    readonly headers: Record<string, string>
  }

  export type Api = Readonly<Record<Method, (parameters?: object) => Promise<Answer>>> & {
    readonly httpClient: { readonly defaults: { baseURL: string } }
  }

  export function Client(options: { readonly apiKey: string }): Api
}

declare module 'podcast-api-1' {
  export { Client } from 'podcast-api'
}
