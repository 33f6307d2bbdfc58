import { extensions, identifier, named, Type } from '@icosa/contract'
import { paging } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

const optional = Type.Optional

const PubsubMessage = named('PubsubMessage', {
  data: optional(Type.String({ pattern: '^[A-Za-z0-9+/_-]*={0,2}$', description: 'In base64.' })),
  attributes: optional(Type.Record(Type.String({ maxLength: 1024 }))),
  orderingKey: optional(Type.String({ maxLength: 1024 })),
})

export const CloudEvent = named('CloudEvent', {
  '@type': optional(Type.String({ maxLength: 100 })),
  id: Type.String({ minLength: 1, maxLength: 200 }),
  source: Type.String({ minLength: 1, maxLength: 1024 }),
  specVersion: Type.String({ pattern: '^1\\.0$' }),
  type: Type.String({ pattern: '^[\\w.-]{1,200}$' }),
  attributes: optional(Type.Record(Type.Object({ ceString: Type.String({ maxLength: 1024 }) }))),
  textData: optional(Type.String({ description: 'A JSON object or list.' })),
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
  publishEvents: api.post('/v1/projects/{project}/locations/{location}/channels/{channel}:publishEvents', {
    summary:
      'Publish CloudEvents to a channel, for functions whose trigger names it. Those with one partitionkey are delivered in order.',
    params: { channel: identifier('channel', { pattern: '^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$' }) },
    body: Type.Object({ events: Type.Array(CloudEvent, { minItems: 1, maxItems: 100 }) }),
    maxBytes: 2 ** 20,
    replies: { 200: named('PublishEventsResponse', {}) },
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
