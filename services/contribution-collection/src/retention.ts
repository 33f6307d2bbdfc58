import type { Retention } from '@icosa/kernel'

const theirs = 'as many as the tenant makes'
const withContribution = 'go with their contribution'

/** What becomes of rows, table by table. */
export const retention: Retention = {
  users: 'as many as contribute',
  logins: 'one of a user',
  login_attempts: { column: 'last_at', keepDays: 30 },
  sessions: { column: 'expires_at', keepDays: 30 },
  linked_profiles: 'as many as users link',
  tag_sets: theirs,
  tags: theirs,
  assignments: theirs,
  contributions: 'their owners delete them',
  tallies: 'as many as there are values of refinements',
  tally_changes: 'go within a minute, into the tallies',
  value_changes: 'go within a minute, into the tallies',
  like_counts: withContribution,
  likes: withContribution,
  flags: withContribution,
  moderations: withContribution,
  forms: theirs,
  form_responses: 'go with their form',
  subscriptions: 'as many as users make',
  events: { column: 'happened_at', keepDays: 30 },
  deliveries: 'go with their event',
  media: 'go a week after they were sent, unless something has them',
  media_usages: withContribution,
  exports: { column: 'started_at', keepDays: 30 },
  export_items: 'go with their export',
  export_parts: 'go with their export',
}
