import { named, Type } from '@icosa/contract'
import { enumeration, UpdateMask } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

const optional = Type.Optional

const Expr = named('Expr', {
  expression: optional(Type.String({ maxLength: 4096 })),
  title: optional(Type.String({ maxLength: 1024 })),
  description: optional(Type.String({ maxLength: 4096 })),
  location: optional(Type.String({ maxLength: 1024 })),
})

const Binding = named('Binding', {
  role: Type.String({ maxLength: 200 }),
  members: optional(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 1500 })),
  condition: optional(Expr),
})

const AuditConfig = named('AuditConfig', {
  service: optional(Type.String({ maxLength: 300 })),
  auditLogConfigs: optional(
    Type.Array(
      named('AuditLogConfig', {
        logType: optional(enumeration('LOG_TYPE_UNSPECIFIED', 'ADMIN_READ', 'DATA_WRITE', 'DATA_READ')),
        exemptedMembers: optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 })),
      }),
      { maxItems: 10 },
    ),
  ),
})

export const Policy = named('Policy', {
  version: optional(Type.Integer({ description: '0, 1 or 3.' })),
  bindings: optional(Type.Array(Binding, { maxItems: 100 })),
  auditConfigs: optional(Type.Array(AuditConfig, { maxItems: 20 })),
  etag: optional(Type.String({ maxLength: 100, description: 'Of the policy to replace, in base64.' })),
})

const requestedPolicyVersion = optional(Type.Integer({ description: '0, 1 or 3.' }))

export const policies = {
  getIamPolicy: api.get(`${oneFunction}:getIamPolicy`, {
    specified: '/v2/{resource}:getIamPolicy',
    summary: 'Read the IAM policy of a function, which controls who may call it.',
    query: Type.Object({ 'options.requestedPolicyVersion': requestedPolicyVersion }),
    replies: { 200: Policy },
  }),
  readIamPolicy: api.post(`${oneFunction}:getIamPolicy`, {
    summary: 'Read the IAM policy of a function by POST, which some clients use.',
    body: Type.Object({ options: optional(Type.Object({ requestedPolicyVersion })) }),
    reads: true,
    replies: { 200: Policy },
    extension: true,
  }),
  setIamPolicy: api.post(`${oneFunction}:setIamPolicy`, {
    specified: '/v2/{resource}:setIamPolicy',
    summary: 'Set the IAM policy of a function, which controls who may call it.',
    body: Type.Object({ policy: optional(Policy), updateMask: optional(UpdateMask) }),
    replies: { 200: Policy },
  }),
  testIamPermissions: api.post(`${oneFunction}:testIamPermissions`, {
    specified: '/v2/{resource}:testIamPermissions',
    summary: 'Test which permissions the caller has on a function.',
    body: Type.Object({ permissions: optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })) }),
    reads: true,
    replies: { 200: named('TestIamPermissionsResponse', { permissions: Type.Array(Type.String()) }) },
  }),
}
