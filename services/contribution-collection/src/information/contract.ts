import { named, Type } from '@icosa/contract'
import { get } from '../dialect/contract.ts'

export const information = {
  listChanges: get('/change-log', {
    summary: 'List what has changed in this API, the newest first.',
    replies: {
      200: Type.Array(
        named('ChangeLogItem', {
          title: Type.String(),
          date: Type.String(),
          description: Type.Optional(Type.String()),
        }),
      ),
    },
  }),
}
