import { extension, named, Type } from '@icosa/contract'
import { get, post, remove } from '../dialect/contract.ts'
import { pageHeaders, pageQuery } from '../paging/contract.ts'
import { number, text } from '../shapes/contract.ts'

const { Optional } = Type

const Named = (title: string) => named(title, { id: Type.String(), name: Type.String() })

const subscriptionFields = {
  types: Type.Array(text(50), { minItems: 1, maxItems: 20 }),
  includeBody: Type.Boolean(),
  includeThumbnail: Optional(Type.Boolean()),
  includeThumbenail: Optional(Type.Boolean({ description: 'The same, as misspelt in the original API description.' })),
  assignment: Optional(number),
  email: Optional(Type.String({ pattern: '^[^\\s@<>"]+@[^\\s@<>"]+\\.[^\\s@<>"]+$', maxLength: 254 })),
  slackChannel: Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  url: extension(Optional(Type.String({ pattern: '^https?://', maxLength: 1_000, description: 'A webhook.' }))),
}

const Subscription = named('Subscription', {
  id: Type.String(),
  user: Type.String(),
  token: Type.String({ description: 'Signing secret of webhooks (Standard Webhooks).' }),
  ...subscriptionFields,
})

export const subscriptions = {
  listSubscriptions: get('/subscriptions', {
    summary: 'List the subscriptions of the caller.',
    query: Type.Object(pageQuery),
    replies: { 200: Type.Array(Subscription) },
    replyHeaders: pageHeaders,
  }),
  createSubscription: post('/subscriptions', {
    summary: 'Subscribe to events by mail, chat or webhook.',
    body: named('SubscriptionSubmission', subscriptionFields),
    replies: { 200: Subscription },
    extension: true,
  }),
  deleteSubscription: remove('/subscriptions/{id}', {
    summary: 'Delete a subscription.',
    replies: { 200: null },
  }),
  listSubscriptionTypes: get('/subscription-types', {
    summary: 'List the types of subscriptions.',
    replies: { 200: Type.Array(Named('SubscriptionType')) },
  }),
  listEventTypes: get('/event-types', {
    summary: 'List the types of events.',
    replies: { 200: Type.Array(Named('EventType')) },
  }),
  previewNotification: get('/notifications/contributions/{id}/preview', {
    summary: 'Preview a mail about a contribution.',
    query: Type.Object({ message: text(50) }),
    replies: {
      200: named('NotificationPreview', {
        email: Optional(Type.String()),
        subject: Type.String(),
        html: Type.String(),
      }),
    },
  }),
}
