import { named, Type } from '@icosa/contract'
import { get } from '../dialect/contract.ts'

export const information = {
  describePublicAccess: get('/public-access', {
    summary: 'List what a public key may read. A key with this permission, and not that to moderate, is one.',
    replies: { 200: named('PublicAccess', { operations: Type.Array(Type.String()) }) },
    extension: true,
  }),
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
