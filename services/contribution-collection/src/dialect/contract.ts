import { type Dialect, identifier, named, operationsOf, Type } from '@icosa/contract'

/** Message and fields; errors of the token endpoint also follow OAuth 2.0. */
const ErrorResponse = named('ErrorResponse', {
  message: Type.String(),
  fields: Type.Optional(
    Type.Array(named('ErrorField', { name: Type.String(), message: Type.Optional(Type.String()) })),
  ),
  error: Type.Optional(Type.String({ description: 'OAuth 2.0 error code, only at the token endpoint.' })),
  error_description: Type.Optional(Type.String()),
})

const dialect: Dialect = {
  name: 'contributions',
  version: '1.0.0',
  security: {
    type: 'oauth2',
    description: 'A token from the token endpoint or the identity service, or a platform key.',
    flows: { password: { tokenUrl: '/token', scopes: { full: 'Full access' } } },
  },
  operationNames: 'unique',
  caseSensitive: true,
  error: ErrorResponse,
  replyHeaders: Type.Object({
    'access-control-allow-origin': Type.Optional(Type.String()),
    'access-control-expose-headers': Type.Optional(Type.String()),
  }),
  errorStatuses: [400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 421, 429, 500, 501, 503],
}

const params = { id: identifier('record', { pattern: '^[1-9][0-9]{0,17}$' }) }

export const { get, put, post, delete: remove } = operationsOf(dialect, { params })

export const userParams = {
  id: identifier('user', { pattern: '^[\\w.@-]{1,200}$' }),
  type: identifier('linked profile', { pattern: '^[\\w.-]{1,50}$' }),
}
