import { named, oneOf, type Static, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get, post, delete: remove } = keyed(keyHeader)
const optional = Type.Optional
const maxMs = 600_000

const request = {
  target: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Operations: `backup:StartBackupJob`, `backup:List*`, `*`. Jobs, if no operation has that name.',
  }),
  kind: oneOf('latency', 'error', 'throttle', 'drop', 'dropReply', 'stop'),
  share: optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of calls, more than 0. All by default.' }),
  ),
  times: optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of hits after which it ends.' })),
  delayMs: optional(
    Type.Integer({ minimum: 1, maximum: maxMs, description: 'Duration of a latency, which needs one.' }),
  ),
  code: optional(Type.String({ maxLength: 200, description: 'Code or HTTP status of an error. 503 by default.' })),
  retryAfterSeconds: optional(
    Type.Integer({ minimum: 0, maximum: 3_600, description: 'Of a throttle. 1 by default.' }),
  ),
  afterMs: optional(Type.Integer({ minimum: 0, maximum: maxMs, description: 'Time before a stop.' })),
  seed: optional(Type.Integer({ minimum: 0, maximum: 2 ** 31, description: 'The same seed chooses the same calls.' })),
}
const FaultRequestSchema = named('FaultRequest', request)
export interface FaultRequest extends Static<typeof FaultRequestSchema> {}

const FaultSchema = named('Fault', {
  ...request,
  id: Type.String(),
  share: Type.Number(),
  seed: Type.Integer(),
  on: oneOf('requests', 'jobs'),
  seen: Type.Integer({ description: 'Calls that matched.' }),
  hit: Type.Integer({ description: 'Calls that failed or were late.' }),
})
export interface Fault extends Static<typeof FaultSchema> {}

export const faults = {
  listFaults: get('/faults', {
    summary: 'List the active faults of this node.',
    replies: { 200: named('Faults', { faults: Type.Array(FaultSchema) }) },
  }),
  addFault: post('/faults', {
    summary:
      'Inject a fault: slow, failed or dropped requests, or jobs that stop halfway. Not for the platform itself.',
    body: FaultRequestSchema,
    replies: { 201: FaultSchema },
  }),
  removeFault: remove('/faults/{faultId}', { summary: 'Remove a fault.', replies: { 204: null } }),
  removeFaults: remove('/faults', {
    summary: 'Remove all faults.',
    replies: { 200: named('RemovedFaults', { removed: Type.Integer({ minimum: 0 }) }) },
  }),
}
