import { extension, identifier, named, oneOf, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { EpisodeMinimum, EpisodeSimple } from '../episodes/contract.ts'
import { keyHeaders, originalForm } from '../names.ts'
import {
  flag,
  idList,
  PodcastSimple,
  pageFields,
  pageNumber,
  podcastFields,
  podcastId,
  timeMs,
} from './schemas/contract.ts'

export * from './schemas/contract.ts'

const { get, post } = keyed(keyHeaders[0], { id: podcastId, domain_name: identifier('domain', { maxLength: 253 }) })

export const PodcastFull = named('PodcastFull', {
  ...podcastFields,
  episodes: Type.Array(EpisodeMinimum),
  next_episode_pub_date: Type.Nullable(Type.Integer({ description: 'Null after the last episode.' })),
})

/** Comma-separated list. */
const several = (items: string, pattern: string) =>
  Type.Optional(Type.String({ maxLength: 20_000, pattern, description: `${items}, comma-separated.` }))
const addresses = '^(\\s*https?://.*)?$'
const numbers = '^[\\d,\\s]*$'

export const podcasts = {
  getPodcastById: get('/podcasts/{id}', {
    summary: 'Read a podcast with up to 10 of its episodes.',
    query: Type.Object({
      next_episode_pub_date: Type.Optional(timeMs),
      sort: withDefault(oneOf('recent_first', 'oldest_first'), 'recent_first'),
    }),
    replies: { 200: PodcastFull },
  }),
  getPodcastsInBatch: post('/podcasts', {
    summary: 'Read up to 100 podcasts by their ids, here or on other platforms.',
    body: named('GetPodcastsInBatchForm', {
      ids: several('Ids', idList),
      rsses: several('Feed URLs', addresses),
      storeone_ids: several('Ids in the first store', numbers),
      storetwo_ids: several('Ids in the second store', idList),
      [originalForm.storeone_ids]: several('The same in its original spelling', numbers),
      [originalForm.storetwo_ids]: several('The same in its original spelling', idList),
      show_latest_episodes: withDefault(flag, 0),
      next_episode_pub_date: Type.Optional(timeMs),
    }),
    bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
    reads: true,
    replies: {
      200: named('GetPodcastsInBatchResponse', {
        podcasts: Type.Array(PodcastSimple),
        latest_episodes: Type.Optional(Type.Array(EpisodeSimple)),
        next_episode_pub_date: extension(Type.Optional(Type.Nullable(Type.Integer()))),
      }),
    },
  }),
  getPodcastsByDomainName: get('/podcasts/domains/{domain_name}', {
    summary: 'List the podcasts whose website is on a domain.',
    query: Type.Object({ page: withDefault(pageNumber, 1) }),
    replies: {
      200: named('PodcastDomainResponse', {
        podcasts: Type.Array(PodcastSimple),
        ...pageFields,
      }),
    },
  }),
}
