import { named, Type } from '@icosa/contract'
import { get } from '../dialect/contract.ts'

export const information = {
  describePublicAccess: get('/public-access', {
    summary:
      'List the operations available to publishable keys, which are platform keys without the permission to moderate.',
    replies: { 200: named('PublicAccess', { operations: Type.Array(Type.String()) }) },
    extension: true,
  }),
  listChanges: get('/change-log', {
    summary: 'List changes of this API, newest first.',
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
