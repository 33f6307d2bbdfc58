import { named, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { EpisodeSimple } from '../episodes/contract.ts'
import { keyHeaders } from '../names.ts'
import { episodeId, flag, PodcastSimple, podcastId } from '../podcasts/schemas/contract.ts'

const { get } = keyed(keyHeaders[0])
const query = Type.Object({ safe_mode: withDefault(flag, 0) })

export const recommendations = {
  getPodcastRecommendations: get('/podcasts/{id}/recommendations', {
    params: { id: podcastId },
    summary: 'Recommend up to 8 similar podcasts.',
    query,
    replies: { 200: named('GetPodcastRecommendationsResponse', { recommendations: Type.Array(PodcastSimple) }) },
  }),
  getEpisodeRecommendations: get('/episodes/{id}/recommendations', {
    params: { id: episodeId },
    summary: 'Recommend up to 8 similar episodes.',
    query,
    replies: { 200: named('GetEpisodeRecommendationsResponse', { recommendations: Type.Array(EpisodeSimple) }) },
  }),
}
