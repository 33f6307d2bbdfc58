import type { Gaps } from '@icosa/module'

export const unsupported = {
  visibility: {
    name: '`visibility` of a playlist',
    answer: 'no effect',
    instead: 'It is shown. A tenant sees all of its own playlists, and nobody else does.',
  },
  contents: {
    name: "the maker's own podcasts",
    answer: 'differs',
    instead: 'The directory has what was submitted or imported here.',
  },
  review: {
    name: 'the review of a submission, and of a deletion',
    answer: 'differs',
    instead:
      'No person looks at it: a feed that can be read is listed, and a podcast is deleted at once. Nobody is written to at `email`.',
  },
  accounts: {
    name: 'making playlists and curated lists on a website',
    answer: 'differs',
    instead: "They come from an operator's JSON; curated lists are also computed.",
  },
  pages: {
    name: '`vendor_url` and `vendor_edit_url` as pages',
    answer: 'differs',
    instead: 'They are the resource itself, and where its feed is read again. There is no website.',
  },
  listenScore: {
    name: '`listen_score` and `listen_score_global_rank`',
    answer: 'differs',
    instead: 'They are worked out from visits, episodes and dates in this directory.',
  },
  audience: {
    name: '`by_regions` of an audience',
    answer: 'differs',
    instead: 'It counts requests with `X-Listener-Region`, and is empty without them.',
  },
  transcripts: {
    name: '`transcript`',
    answer: 'differs',
    instead: 'It is what the feed links to, for the latest 100 episodes that have one. Nothing is transcribed.',
  },
  audio: {
    name: '`audio`, and `maybe_audio_invalid`',
    answer: 'differs',
    instead: "The address is the feed's own. It is not fetched: only its media type is looked at.",
  },
  stores: {
    name: '`storeone_id`, `storetwo_id` and `extra`',
    answer: 'differs',
    instead: "They are what the channel's own texts link to, and empty otherwise.",
  },
  genres: {
    name: 'ids of genres below the top',
    answer: 'differs',
    instead: 'Three of them are the public ones, the others are ours, from 1001 on.',
  },
  total: { name: '`total` of a search', answer: 'differs', instead: 'Above 2,000 it is an estimate.' },
  claimed: {
    name: '`is_claimed` and the members of `looking_for` true',
    answer: 'never',
    instead: 'Nobody claims a podcast here.',
  },
} as const satisfies Gaps
