import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'
import { recordFields, recordFilter } from '../operator/contract.ts'

const { get } = keyed(keyHeader)
const optional = Type.Optional

export const audit = {
  listAuditRecords: get('/audit', {
    summary:
      'List what was changed for your tenant and what was refused, newest first, including changes by operators.',
    query: Type.Object(recordFilter),
    replies: {
      200: named('OwnAuditRecords', {
        records: Type.Array(
          named('OwnAuditRecord', {
            ...recordFields,
            resource: optional(Type.String({ description: 'The path of the request, or what an operator did.' })),
          }),
        ),
        nextPageToken: optional(Type.String()),
      }),
    },
  }),
}
