import { type Dialect, named, Type } from '@icosa/contract'
import { errorStatuses } from '@icosa/dialects/status'

export const OAuth2Error = named('OAuth2Error', {
  error: Type.String(),
  error_description: Type.Optional(Type.String()),
  error_detail: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  iss: Type.Optional(Type.String()),
})

export const ProblemDetail = named('ProblemDetail', {
  type: Type.String(),
  status: Type.Integer(),
  title: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
})

const common = { operationNames: 'unique', caseSensitive: true, errorStatuses } as const

/** OAuth 2.0 and OpenID Connect operations: the protocol defines errors. */
export const protocolDialect: Dialect = {
  ...common,
  name: 'oauth',
  security: { type: 'http', scheme: 'bearer', description: 'An access token of this provider with the scope openid.' },
  error: Type.Union(OAuth2Error, ProblemDetail),
}

/** Operations on clients: errors are problem details. */
export const managementDialect: Dialect = {
  ...common,
  name: 'bearer',
  security: { type: 'http', scheme: 'bearer', description: 'An access token for the platform, or one of its keys.' },
  error: ProblemDetail,
}
