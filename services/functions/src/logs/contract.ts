import { extensions, named, Type } from '@icosa/contract'
import { enumeration } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

/** Beyond the specification. */
export const logs = extensions({
  listLogs: api.get(`${oneFunction}/logs`, {
    summary:
      'Read the log of a function: its output and the results of invocations. Newest lines, or those since a token.',
    query: Type.Object({
      pageSize: Type.Optional(Type.Integer({ minimum: 0, description: 'At most 1000, 100 by default.' })),
      pageToken: Type.Optional(
        Type.String({ maxLength: 200, description: 'Of an earlier response, to get newer lines.' }),
      ),
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
  }),
})
