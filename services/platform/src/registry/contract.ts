import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get } = keyed(keyHeader)
const optional = Type.Optional

const RegisteredResource = named('RegisteredResource', {
  id: Type.String({ description: 'A path or an ARN.' }),
  service: Type.String(),
  type: Type.String(),
  name: Type.String(),
  location: optional(Type.String()),
  tags: Type.Record(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
})

export const registry = {
  searchResources: get('/resources', {
    summary: "Search the tenant's resources in all services by part of the name, by tag or by type.",
    query: Type.Object({
      q: optional(Type.String({ maxLength: 200, description: 'A part of the name, in any case.' })),
      tag: optional(Type.String({ maxLength: 400, description: '`key`, or `key=value`.' })),
      type: optional(Type.String({ maxLength: 200 })),
      pageToken: optional(Type.String({ maxLength: 2_000 })),
    }),
    replies: {
      200: named('RegisteredResources', {
        resources: Type.Array(RegisteredResource),
        nextPageToken: optional(Type.String()),
      }),
    },
  }),
}
