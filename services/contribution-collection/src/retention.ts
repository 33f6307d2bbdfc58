import type { Retention } from '@icosa/kernel'

const perTenant = 'as many as the tenant creates'
const withContribution = 'deleted with their contribution'

export const retention: Retention = {
  users: 'as many as contribute',
  logins: 'one per user',
  login_attempts: { column: 'last_at', keepDays: 30 },
  sessions: { column: 'expires_at', keepDays: 30 },
  linked_profiles: 'as many as users link',
  tag_sets: perTenant,
  tags: perTenant,
  assignments: perTenant,
  contributions: 'their owners delete them',
  tallies: 'as many as refinements have values',
  tally_changes: 'added to the tallies within a minute',
  value_changes: 'added to the tallies within a minute',
  like_counts: withContribution,
  likes: withContribution,
  flags: withContribution,
  moderations: withContribution,
  forms: perTenant,
  form_responses: 'deleted with their form',
  subscriptions: 'as many as users create',
  events: { column: 'happened_at', keepDays: 30 },
  deliveries: 'deleted with their event',
  media: 'deleted a week after upload, unless in use',
  media_usages: withContribution,
  exports: { column: 'started_at', keepDays: 30 },
  export_items: 'deleted with their export',
  export_parts: 'deleted with their export',
}
