import { named, oneOf, type Static, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get } = keyed(keyHeader)

const Event = named('HistoryEvent', {
  kind: oneOf('request', 'job', 'delivery'),
  name: Type.String({ description: 'The operation, the job, or the kind of delivery: `example:createNote`, `send`.' }),
  traceId: Type.String(),
  spanId: Type.String(),
  parentId: Type.Optional(Type.String({ description: 'The span that caused it, possibly outside of the platform.' })),
  enqueuedBy: Type.Optional(Type.String({ description: 'The trace whose job enqueued this one.' })),
  requestId: Type.Optional(Type.String()),
  at: Type.String({ format: 'date-time', description: 'Its start, by the clock of the platform.' }),
  ms: Type.Number({ minimum: 0 }),
  failed: Type.Boolean(),
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'Of a job.' })),
  outcome: Type.Optional(
    Type.String({ description: 'Of a job: `completed`, `failed` (and possibly retried), `lost`.' }),
  ),
  status: Type.Optional(Type.Integer({ description: 'Of a request.' })),
  error: Type.Optional(Type.String()),
  attributes: Type.Record(Type.Union(Type.String(), Type.Number())),
})
export interface HistoryEvent extends Static<typeof Event> {}

export const history = {
  getHistory: get('/history', {
    summary:
      'Read the trace of a request, or of all that changed a resource, oldest first: jobs with attempts and errors, deliveries.',
    query: Type.Object({
      trace: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$' })),
      request: Type.Optional(Type.String({ maxLength: 100, description: 'As in the header X-Request-Id.' })),
      path: Type.Optional(
        Type.String({
          maxLength: 1_000,
          pattern: '^/',
          description:
            'Of a resource, with its service: changes to it and to anything below it, by their path in the audit log.',
        }),
      ),
      created: Type.Optional(
        Type.String({
          maxLength: 1_000,
          pattern: '^/.*#.+$',
          description:
            'The path of a creation, `#`, and an ID: with `path`, also the recorded POST there whose reply contains the ID.',
        }),
      ),
    }),
    replies: {
      200: named('History', {
        value: Type.Array(Event),
        recorded: Type.Boolean({ description: 'Whether this node records history.' }),
        truncated: Type.Boolean({ description: 'Whether there are more events than are listed.' }),
      }),
    },
  }),
}
