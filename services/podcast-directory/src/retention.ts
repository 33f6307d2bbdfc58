import type { Retention } from '@icosa/kernel'

export const retention: Retention = {
  searches: { column: 'since', keepDays: 60 },
  visits: { column: 'day', keepDays: 400 },
  usage: { column: 'month', keepDays: 400 },
  hosts: { column: 'until', keepDays: 1 },
  podcasts: 'as many as submitted feeds; a deleted one keeps its title, for lists that contain it',
  crawls: 'deleted with their podcast',
  turns: 'deleted when their job starts; one per tenant and host',
  episodes: 'deleted with their podcast',
  changes: 'deleted by followChanges once they are indexed',
  tenants: 'one per tenant',
  documents: 'one for every podcast, episode and list',
  shelves: 'one for every tenant, kind, popularity and month',
  vocabulary: 'the words of podcasts and episodes',
  completions: 'titles of podcasts, their words, and the most frequent search terms',
  together: 'pairs of podcasts',
  curated_lists: 'created by the operator, or one for every genre and other theme',
  playlists: 'created by the operator',
  playlist_items: 'created by the operator',
}
