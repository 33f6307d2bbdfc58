import type { Gaps } from '@icosa/module'

export const unsupported = {
  visibility: {
    name: '`visibility` of a playlist',
    answer: 'no effect',
    instead: 'It is returned, but a tenant sees all of its own playlists, and other tenants see none.',
  },
  contents: {
    name: "the original directory's podcasts",
    answer: 'differs',
    instead: 'The directory contains podcasts submitted or imported here.',
  },
  review: {
    name: 'manual review of submissions and deletions',
    answer: 'differs',
    instead: 'Readable feeds are listed, and podcasts are deleted, without review. No mail is sent to `email`.',
  },
  accounts: {
    name: 'creating playlists and curated lists on a website',
    answer: 'differs',
    instead: 'An operator imports them as JSON; curated lists are also computed.',
  },
  pages: {
    name: '`vendor_url` and `vendor_edit_url` as pages',
    answer: 'differs',
    instead: 'They are API URLs: the resource itself, and the refresh of its feed.',
  },
  listenScore: {
    name: '`listen_score` and `listen_score_global_rank`',
    answer: 'differs',
    instead: 'They are computed from visits, episodes and dates in this directory.',
  },
  audience: {
    name: '`by_regions` of an audience',
    answer: 'differs',
    instead: 'It counts requests with `X-Listener-Region`, and is empty without them.',
  },
  transcripts: {
    name: '`transcript`',
    answer: 'differs',
    instead:
      'It is fetched from the link in the feed, for the latest 100 episodes that have one. Audio is not transcribed.',
  },
  audio: {
    name: '`audio`, and `maybe_audio_invalid`',
    answer: 'differs',
    instead: "The URL is the feed's own. It is not fetched; only its media type is checked.",
  },
  stores: {
    name: '`storeone_id`, `storetwo_id` and `extra`',
    answer: 'differs',
    instead: "They are extracted from links in the channel's own texts, and empty otherwise.",
  },
  genres: {
    name: 'ids of subgenres',
    answer: 'differs',
    instead: 'Three are the public ones, the others are ours, from 1001 on.',
  },
  total: { name: '`total` of a search', answer: 'differs', instead: 'Above 2,000 it is an estimate.' },
  claimed: {
    name: '`true` in `is_claimed` and `looking_for`',
    answer: 'never',
    instead: 'Podcasts cannot be claimed here.',
  },
} as const satisfies Gaps
