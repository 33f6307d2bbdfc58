import { named, oneOf, secret, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../../names.ts'
import { keyFields, LimitSchema, tenant } from '../contract.ts'

const optional = Type.Optional
const text = Type.String()
const time = Type.String({ format: 'date-time' })

const params = {
  tenant,
  keyId: Type.String({ pattern: '^[\\w-]{1,100}$' }),
  service: Type.String({ pattern: '^(\\*|[a-z\\d-]{1,100})$' }),
  kind: oneOf('resources', 'requests', 'bytes'),
}
const { post, put, delete: remove } = keyed(keyHeader, params)

const permissions = Type.Array(Type.String({ pattern: '^(\\*|[\\w.*-]{1,99}:[\\w.:*-]{1,100})$' }), {
  minItems: 1,
  maxItems: 100,
  description: "Operations such as 'backup:ListPlans', 'backup:*' or '*', which is everything of the tenant.",
})

/** What operators change. Each change is recorded in the chain of operators. */
export const changesContract = {
  createKey: post('/tenants/{tenant}/keys', {
    summary: 'Create a key or signing secret for a tenant. The first one creates the tenant.',
    body: named('NewKey', {
      name: optional(Type.String({ maxLength: 200 })),
      permissions,
      kind: optional(oneOf('key', 'signing')),
      expiresAt: optional(time),
    }),
    replies: {
      201: named('IssuedKey', {
        ...keyFields,
        secret: secret(Type.String({ description: 'The key, or the secret that signs. It cannot be read again.' })),
      }),
    },
  }),
  revokeKey: remove('/keys/{keyId}', {
    summary: 'Revoke a key or signing secret, on every node within a second.',
    replies: { 204: null },
  }),
  setLimit: put('/tenants/{tenant}/limits/{service}/{kind}', {
    summary:
      'Limit the resources, the requests per second or the stored bytes of a tenant in a service, or in all (*).',
    body: named('NewLimit', { amount: Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }) }),
    replies: { 200: LimitSchema },
  }),
  removeLimit: remove('/tenants/{tenant}/limits/{service}/{kind}', {
    summary: 'Remove a limit of a tenant.',
    replies: { 204: null },
  }),
  assumeRole: post('/tenants/{tenant}/tokens', {
    summary: 'Issue a short-lived access token for a tenant. The tenant sees who, when and why in its audit log.',
    body: named('RoleToAssume', {
      reason: Type.String({ minLength: 5, maxLength: 500, description: 'Shown to the tenant.' }),
      permissions,
      minutes: optional(Type.Integer({ minimum: 1, maximum: 60, description: '15 if absent.' })),
    }),
    replies: {
      201: named('AssumedRole', {
        who: Type.String({ description: 'Name of the token in the audit log of the tenant.' }),
        tenant: text,
        permissions: Type.Array(text),
        expiresAt: time,
        secretToken: secret(Type.String({ description: 'Send it as `Authorization: Bearer ...`.' })),
      }),
    },
  }),
  deleteTenant: remove('/tenants/{tenant}', {
    summary: 'Delete a tenant with all its data, including its backups. Its audit log stays, without personal fields.',
    replies: { 202: named('TenantDeletion', { tenant: text, state: oneOf('Deleting') }) },
  }),
}
