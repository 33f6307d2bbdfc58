import { named, Type } from '@icosa/contract'
import { enumeration } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

/** Beyond the specification. */
export const logs = {
  listLogs: api.get(`${oneFunction}/logs`, {
    summary: 'Read what a function printed, and how its invocations ended: the newest lines, or those that came since.',
    query: Type.Object({
      pageSize: Type.Optional(Type.Integer({ minimum: 0, description: 'At most 1000; 100 if nothing is said.' })),
      pageToken: Type.Optional(Type.String({ maxLength: 200, description: 'Of an earlier answer: what came since.' })),
    }),
    replies: {
      200: named('ListLogsResponse', {
        lines: Type.Array(
          named('LogLine', {
            time: Type.String({ format: 'date-time' }),
            stream: enumeration('stdout', 'stderr', 'platform'),
            text: Type.String(),
            invocation: Type.Optional(Type.String()),
          }),
        ),
        nextPageToken: Type.String(),
      }),
    },
    extension: true,
  }),
}
