import { named, type Static, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get } = keyed(keyHeader)

const Message = named('WatchedMessage', {
  headers: Type.Record(Type.String()),
  bytes: Type.Integer({ minimum: 0, description: 'Length of the whole body.' }),
  body: Type.Optional(
    Type.String({ description: 'Its beginning, without secrets. Only JSON and form fields are included.' }),
  ),
  truncated: Type.Optional(Type.Boolean({ description: 'Whether only the beginning of the body is included.' })),
})
export interface WatchedMessage extends Static<typeof Message> {}

const Request = named('WatchedRequest', {
  id: Type.String({ description: 'As in the header X-Request-Id.' }),
  at: Type.String({ format: 'date-time' }),
  service: Type.String(),
  operation: Type.String(),
  method: Type.String(),
  path: Type.String(),
  query: Type.Record(Type.String()),
  status: Type.Integer(),
  ms: Type.Number({ minimum: 0 }),
  traceId: Type.Optional(Type.String()),
  caller: Type.String({ description: 'The id of the credential.' }),
  request: Message,
  response: Message,
})
export interface WatchedRequest extends Static<typeof Request> {}

/** Kept by a node in development mode. */
export const maxRecent = 1_000

export const requests = {
  watchRequests: get('/requests', {
    summary:
      'List recent requests, or stream them live as server-sent events if the caller accepts text/event-stream. Secrets are masked.',
    query: Type.Object({
      service: Type.Optional(Type.String({ maxLength: 100 })),
      operation: Type.Optional(Type.String({ maxLength: 200 })),
      minStatus: withDefault(Type.Integer({ minimum: 100, maximum: 599 }), 100),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: maxRecent }), 100),
    }),
    headers: Type.Object({ accept: Type.Optional(Type.String()) }),
    replies: {
      200: named('RecentRequests', {
        value: Type.Array(Request),
        recorded: Type.Boolean({
          description: 'Whether this node records recent requests. If not, requests can only be streamed live.',
        }),
      }),
    },
    media: ['text/event-stream'],
  }),
}
