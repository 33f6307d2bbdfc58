import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { post } = keyed(keyHeader)

export const state = {
  resetState: post('/reset', {
    summary: 'Delete what services keep: all of it, or that of one service or one tenant. Keys stay.',
    body: named('Reset', {
      service: Type.Optional(Type.String({ maxLength: 100 })),
      tenant: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    replies: { 200: named('ResetDone', { rows: Type.Integer({ minimum: 0 }) }) },
  }),
}
