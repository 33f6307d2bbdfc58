import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { post } = keyed(keyHeader)

export const state = {
  resetState: post('/reset', {
    summary: 'Delete the state of all services, of one service or of one tenant. Keys are kept.',
    body: named('Reset', {
      service: Type.Optional(Type.String({ maxLength: 100 })),
      tenant: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    replies: { 200: named('ResetDone', { rows: Type.Integer({ minimum: 0 }) }) },
  }),
  settleJobs: post('/settle', {
    summary: 'Wait until no job is due, for at most the given time.',
    body: named('Settle', { timeoutMs: Type.Integer({ minimum: 1, maximum: 600_000 }) }),
    replies: { 200: named('Settled', { settled: Type.Boolean({ description: 'False if the time ran out first.' }) }) },
  }),
}
