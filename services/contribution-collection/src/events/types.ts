/** Types of events and subscriptions, with labels. */
export const eventTypes = {
  'contribution-submitted': 'A contribution was submitted',
  'contribution-moderated': 'A contribution was moderated',
  'contribution-flagged': 'A contribution was flagged',
  'contribution-deleted': 'A contribution was deleted',
} as const
export type EventType = keyof typeof eventTypes

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventTypes, text)

/** Snapshot of a contribution at the time of an event. */
export interface EventContent {
  readonly id: string
  readonly assignment: { readonly id: string; readonly name: string }
  readonly headline: string
  readonly body?: string | undefined
  readonly attribution: string
  readonly created: string
  readonly state: string
  readonly urlWords: string
  readonly place?: unknown
  /** Of a moderation or a flag. */
  readonly notes?: string | undefined
  readonly flag?: string | undefined
}
