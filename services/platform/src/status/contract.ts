import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get } = keyed(keyHeader)

export const status = {
  getStatus: get('/status', {
    summary: 'Read the status of this node, and missing prerequisites with the commands that install them.',
    replies: {
      200: named('NodeStatus', {
        ready: Type.Boolean(),
        status: Type.String({ description: 'ready, or the reason why the node does not serve.' }),
        development: Type.Boolean(),
        now: Type.String({ format: 'date-time' }),
        clock: Type.Enum(['system', 'virtual']),
        services: Type.Array(Type.String()),
        needs: Type.Array(
          named('UnmetNeed', {
            service: Type.String(),
            need: Type.String(),
            purpose: Type.String(),
            isOptional: Type.Boolean({ description: 'Whether the service works without it.' }),
            remedy: Type.String({ description: 'How to install it on this machine.' }),
          }),
        ),
      }),
    },
  }),
}
