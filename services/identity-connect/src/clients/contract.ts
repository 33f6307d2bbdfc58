import { extension, named, oneOf, operationsOf, readOnly, Type, writable } from '@icosa/contract'
import { managementDialect } from '../errors/contract.ts'

const { get, post, put, delete: remove } = operationsOf(managementDialect)

const Url = (maxLength = 2000) => Type.String({ maxLength, pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s]+$' })
const Client = named('Client', {
  client_id: readOnly(Type.String()),
  client_secret: readOnly(Type.Optional(Type.String({ description: 'Shown once, when the client is created.' }))),
  client_secret_expires_at: readOnly(Type.Optional(Type.Integer())),
  client_id_issued_at: readOnly(Type.Optional(Type.Integer())),
  client_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  client_uri: Type.Optional(Url()),
  redirect_uris: Type.Optional(Type.Array(Url(), { maxItems: 100 })),
  response_types: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 7 })),
  grant_types: Type.Optional(Type.Array(oneOf('authorization_code', 'implicit', 'refresh_token'), { maxItems: 3 })),
  application_type: Type.Optional(oneOf('web', 'native')),
  contacts: Type.Optional(Type.Array(Type.String({ maxLength: 320 }), { maxItems: 20 })),
  logo_uri: Type.Optional(Url()),
  policy_uri: Type.Optional(Url()),
  tos_uri: Type.Optional(Url()),
  default_scopes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  default_max_age: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  token_endpoint_auth_method: extension(Type.Optional(oneOf('client_secret_basic', 'client_secret_post', 'none'))),
  post_logout_redirect_uris: extension(Type.Optional(Type.Array(Url(), { maxItems: 100 }))),
  backchannel_logout_uri: extension(Type.Optional(Url())),
  backchannel_logout_session_required: extension(Type.Optional(Type.Boolean())),
  test_mode: extension(Type.Optional(Type.Boolean())),
})

export const clients = {
  client: get('/client', {
    summary: 'List the clients that the caller owns.',
    replies: { 200: Type.Array(Client) },
  }),
  createClient: post('/client', {
    summary: 'Register a client. Its secret is returned only in this response.',
    body: writable(Client),
    bodyTypes: ['application/json', 'multipart/form-data'],
    replies: { 201: Client },
  }),
  getClient: get('/client/{client_id}', {
    summary: 'Read a client.',
    replies: { 200: Client },
  }),
  updateClient: put('/client/{client_id}', {
    summary: 'Replace the registration of a client; its id and secret are kept.',
    body: writable(Client),
    bodyTypes: ['application/json', 'multipart/form-data'],
    replies: { 200: Client },
  }),
  rotateClientSecret: post('/client/{client_id}/secret', {
    summary:
      'Replace the secret of a client. The new one is returned only in this response; the old one is invalid immediately.',
    replies: { 200: Client },
    extension: true,
  }),
  deleteClient: remove('/client/{client_id}', {
    summary: 'Delete a client and revoke everything that users granted it.',
    replies: { 204: null },
  }),
}
