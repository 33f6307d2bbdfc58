import { named, oneOf, type Static, secret, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { post } = keyed(keyHeader)
const text = Type.String()
const optional = Type.Optional

const EndpointSchema = named('TenantEndpoint', {
  name: Type.String({ description: 'Name of the service.' }),
  service: optional(Type.String({ description: 'Letter of the service. The platform has none.' })),
  api: optional(Type.String({ description: 'Name of the API, for services with several.' })),
  url: text,
  authentication: Type.Object({
    kind: oneOf('key', 'bearer', 'basic', 'signature', 'none'),
    service: optional(Type.String({ description: 'Service name in signatures.' })),
  }),
  credentials: Type.Object({
    header: optional(text),
    key: optional(secret(Type.String({ description: 'Value of the header.' }))),
    accessKeyId: optional(text),
    secretAccessKey: optional(secret(text)),
    region: optional(text),
  }),
})
export interface TenantEndpoint extends Static<typeof EndpointSchema> {}

export const tenants = {
  createTenant: post('/tenants', {
    summary: 'Create a tenant, or credentials for an existing one, and list every API with them.',
    body: named('NewTenant', {
      name: Type.String({ pattern: '^[\\w.@-]{1,100}$' }),
      permissions: optional(
        Type.Array(Type.String({ maxLength: 200, description: 'Such as `backup:List*`. All by default.' }), {
          minItems: 1,
          maxItems: 100,
        }),
      ),
    }),
    replies: { 201: named('CreatedTenant', { name: text, endpoints: Type.Array(EndpointSchema) }) },
  }),
}
