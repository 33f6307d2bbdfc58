import { named, oneOf, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'
import { PodcastMinimum, podcastId } from '../podcasts/schemas/contract.ts'

const api = keyed(keyHeaders[0], { id: podcastId })

export const feeds = {
  submitPodcast: api.post('/podcasts/submit', {
    summary: 'Submit the feed of a podcast.',
    body: named('SubmitPodcastForm', {
      rss: Type.String({ minLength: 1, maxLength: 2_000 }),
      email: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
    replies: {
      200: named('SubmitPodcastResponse', { status: oneOf('found', 'in review', 'rejected'), podcast: PodcastMinimum }),
    },
  }),
  refreshRss: api.post('/podcasts/{id}/rss', {
    summary: 'Refresh the feed of a podcast.',
    replies: {
      200: named('RefreshRssResponse', {
        status: oneOf('refreshing', 'refreshed'),
        last_refreshed_at_ms: Type.Nullable(Type.Integer({ description: 'Null before the first refresh.' })),
      }),
    },
  }),
  deletePodcastById: api.delete('/podcasts/{id}', {
    summary: 'Delete a podcast.',
    query: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1_000 })) }),
    replies: { 200: named('DeletePodcastResponse', { status: oneOf('deleted', 'in review') }) },
  }),
}
