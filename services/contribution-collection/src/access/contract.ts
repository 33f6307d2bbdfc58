import { named, Type } from '@icosa/contract'
import { get, post } from '../dialect/contract.ts'
import { Authority, text } from '../shapes/contract.ts'

const { Optional } = Type

const Credential = named('Credential', {
  type: Type.String({ description: 'password, key, token, or linked with the type of a profile.' }),
  user: Type.String(),
  value: Optional(Type.String()),
  scopes: Type.Array(Type.String()),
})

export const access = {
  createToken: post('/token', {
    summary: 'Get an access token for a user name and password (OAuth 2.0, RFC 6749, section 4.3).',
    headers: Type.Object({ authorization: Optional(text(2_000)) }),
    body: named('TokenRequest', {
      grant_type: text(100),
      username: Optional(text(200)),
      password: Optional(text(1_000)),
      scope: Optional(text(500)),
      client_id: Optional(text(200)),
      client_secret: Optional(text(500)),
    }),
    bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
    replies: {
      200: named('Token', {
        access_token: Type.String(),
        token_type: Type.String(),
        expires_in: Type.Integer(),
        scope: Type.String(),
      }),
    },
    open: true,
    extension: true,
  }),
  verifyToken: post('/verify', {
    extension: true,
    summary: 'Read the user to whom the credential belongs.',
    replies: { 200: Authority },
    reads: true,
  }),
  listCredentials: get('/credentials', {
    summary: "List the caller's credentials.",
    replies: { 200: Type.Array(Credential) },
  }),
  listScopes: get('/scopes', { summary: 'List the token scopes.', replies: { 200: Type.Array(Type.String()) } }),
}
