import { named, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'
import { episodeId, flag, idList, PodcastMinimum, PodcastSimple } from '../podcasts/schemas/contract.ts'

const { get, post } = keyed(keyHeaders[0], { id: episodeId })

export const episodeFields = {
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  audio: Type.String(),
  audio_length_sec: Type.Integer(),
  explicit_content: Type.Boolean(),
  image: Type.String(),
  thumbnail: Type.String(),
  link: Type.String(),
  maybe_audio_invalid: Type.Boolean(),
  pub_date_ms: Type.Integer(),
  vendor_url: Type.String(),
  vendor_edit_url: Type.String(),
}

/** An episode inside its podcast. */
export const EpisodeMinimum = named('EpisodeMinimum', episodeFields)

/** An episode in a list, with a summary of its podcast. */
export const EpisodeSimple = named('EpisodeSimple', { ...episodeFields, podcast: PodcastMinimum })

export const EpisodeFull = named('EpisodeFull', {
  ...episodeFields,
  podcast: PodcastSimple,
  transcript: Type.Optional(Type.Nullable(Type.String({ description: 'Only if requested; null if there is none.' }))),
})

export const episodes = {
  getEpisodeById: get('/episodes/{id}', {
    summary: 'Read an episode with its podcast.',
    query: Type.Object({ show_transcript: withDefault(flag, 0) }),
    replies: { 200: EpisodeFull },
  }),
  getEpisodesInBatch: post('/episodes', {
    summary: 'Read up to 100 episodes by their ids.',
    body: named('GetEpisodesInBatchForm', {
      ids: Type.String({ maxLength: 20_000, pattern: idList, description: 'Ids, separated by commas.' }),
    }),
    bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
    reads: true,
    replies: { 200: named('GetEpisodesInBatchResponse', { episodes: Type.Array(EpisodeSimple) }) },
  }),
}
