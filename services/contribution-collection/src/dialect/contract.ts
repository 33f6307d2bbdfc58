import { type Dialect, identifier, named, operationsOf, Type } from '@icosa/contract'

/** What is wrong, and with which fields; at the token endpoint in the words of OAuth 2.0. */
const ErrorResponse = named('ErrorResponse', {
  message: Type.String(),
  fields: Type.Optional(
    Type.Array(named('ErrorField', { name: Type.String(), message: Type.Optional(Type.String()) })),
  ),
  error: Type.Optional(Type.String({ description: 'Of the token endpoint only, as OAuth 2.0 names it.' })),
  error_description: Type.Optional(Type.String()),
})

const dialect: Dialect = {
  name: 'contributions',
  version: '1.0.0',
  security: {
    type: 'oauth2',
    description: 'A token of the token endpoint or of the identity service, or a key of the platform in its place.',
    flows: { password: { tokenUrl: '/token', scopes: { full: 'Full access' } } },
  },
  operationNames: 'unique',
  caseSensitive: true,
  error: ErrorResponse,
  replyHeaders: Type.Object({
    'access-control-allow-origin': Type.Optional(Type.String()),
    'access-control-expose-headers': Type.Optional(Type.String()),
  }),
  errorStatuses: [400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 429, 500, 501, 503],
}

/** What is numbered, is known by its number. */
const params = { id: identifier('record', { pattern: '^[1-9][0-9]{0,17}$' }) }

export const { get, put, post, delete: remove } = operationsOf(dialect, { params })

/** Users are known by names. */
export const userParams = {
  id: identifier('user', { pattern: '^[\\w.@-]{1,200}$' }),
  type: identifier('linked profile', { pattern: '^[\\w.-]{1,50}$' }),
}
