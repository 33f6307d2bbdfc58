import { named, oneOf, type Static, Type, withDefault } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get } = keyed(keyHeader)
const time = Type.String({ format: 'date-time' })

const Queued = named('QueuedJob', {
  id: Type.String(),
  service: Type.String(),
  job: Type.String(),
  state: oneOf('waiting', 'running'),
  attempt: Type.Integer({ minimum: 0, description: 'Number of times that a worker has claimed it.' }),
  enqueuedAt: time,
  startedAt: Type.Optional(time),
  traceId: Type.Optional(Type.String()),
})
export interface QueuedJob extends Static<typeof Queued> {}

const Operation = named('JobOperation', {
  id: Type.String(),
  service: Type.String(),
  kind: Type.String(),
  status: oneOf('pending', 'running', 'failed'),
  progress: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  resource: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  createdAt: time,
  updatedAt: time,
})
export interface JobOperation extends Static<typeof Operation> {}

const Timer = named('JobTimer', {
  service: Type.String(),
  job: Type.String(),
  at: time,
  attempt: Type.Integer({ minimum: 1, description: 'Greater than 1 for a retry.' }),
  traceId: Type.Optional(Type.String()),
})
export interface JobTimer extends Static<typeof Timer> {}

const Schedule = named('JobSchedule', {
  service: Type.String(),
  job: Type.String(),
  everyMs: Type.Integer({ minimum: 1 }),
  nextAt: time,
  lastAt: Type.Optional(time),
})
export interface JobSchedule extends Static<typeof Schedule> {}

export const jobs = {
  listJobs: get('/jobs', {
    summary:
      'List queued jobs, unfinished and failed long-running operations, timers, and the schedules of the platform.',
    query: Type.Object({ limit: withDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 100) }),
    replies: {
      200: named('Jobs', {
        jobs: Type.Array(Queued),
        operations: Type.Array(Operation),
        timers: Type.Array(Timer),
        schedules: Type.Array(Schedule),
      }),
    },
  }),
}
