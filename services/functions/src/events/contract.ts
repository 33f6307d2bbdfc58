import { extensions, identifier, named, Type } from '@icosa/contract'
import { paging } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

const optional = Type.Optional

const PubsubMessage = named('PubsubMessage', {
  data: optional(Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$', description: 'In base64.' })),
  attributes: optional(Type.Record(Type.String({ maxLength: 1024 }))),
  orderingKey: optional(Type.String({ maxLength: 1024 })),
})

/** Beyond the specification: publishing, and a list of abandoned events. */
export const events = extensions({
  publish: api.post('/v1/projects/{project}/topics/{topic}:publish', {
    summary: 'Publish messages to a topic. Every subscribed function receives each at least once.',
    params: {
      topic: identifier('topic', { pattern: '^[A-Za-z][\\w.~+%-]{2,254}$', description: '3 to 255 characters' }),
    },
    body: Type.Object({ messages: Type.Array(PubsubMessage, { minItems: 1, maxItems: 1000 }) }),
    maxBytes: 10 * 1024 ** 2,
    replies: { 200: named('PublishResponse', { messageIds: Type.Array(Type.String()) }) },
  }),
  listFailedEvents: api.get(`${oneFunction}/failedEvents`, {
    summary: 'List the abandoned events of a function, newest first.',
    query: Type.Object(paging(100)),
    replies: {
      200: named('ListFailedEventsResponse', {
        failedEvents: Type.Array(
          named('FailedEvent', {
            id: Type.String(),
            type: Type.String(),
            source: Type.String(),
            time: Type.String({ format: 'date-time' }),
            attempts: Type.Integer(),
            reason: Type.String(),
            failTime: Type.String({ format: 'date-time' }),
          }),
        ),
        nextPageToken: optional(Type.String()),
      }),
    },
  }),
})
