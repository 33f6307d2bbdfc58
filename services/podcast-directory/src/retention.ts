import type { Retention } from '@icosa/kernel'

/** What keeps the directory's tables from growing for ever. */
export const retention: Retention = {
  searches: { column: 'since', keepDays: 60 },
  visits: { column: 'day', keepDays: 400 },
  usage: { column: 'month', keepDays: 400 },
  hosts: { column: 'until', keepDays: 1 },
  podcasts: 'as many as feeds were sent in; a deleted one leaves its title, for lists that name it',
  crawls: 'go with their podcast',
  turns: 'deleted when their job is at work; one for a tenant and a host',
  episodes: 'go with their podcast',
  changes: 'followChanges: those that the index has',
  tenants: 'one of a tenant',
  documents: 'one for every podcast, episode and list',
  shelves: 'one for every tenant, kind, popularity and month',
  vocabulary: 'the words of podcasts and episodes',
  completions: 'titles of podcasts, their words, and the terms that are searched for most',
  together: 'pairs of podcasts',
  curated_lists: 'made by the operator, or one for every genre and the like',
  playlists: 'made by the operator',
  playlist_items: 'made by the operator',
}
