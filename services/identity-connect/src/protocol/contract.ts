import { extension, named, oneOf, operationsOf, Type } from '@icosa/contract'
import { protocolDialect } from '../errors/contract.ts'
import { locationClaims } from '../names.ts'

const { get, post } = operationsOf(protocolDialect)

/** In the spelling of the specification. */
export const responseTypes: readonly string[] = [
  'code',
  'id_token',
  'token',
  'token id_token',
  'code id_token',
  'code token',
  'code token id_token',
]

const AuthorizationRequest = {
  client_id: Type.String(),
  response_type: Type.String({
    description: `One of: ${responseTypes.join(', ')}; the client must be registered for it.`,
  }),
  scope: Type.String({ description: 'The requested scopes, separated by spaces; must include openid.' }),
  redirect_uri: Type.String(),
  state: Type.String({ description: 'Returned unchanged. Optional with code_challenge.' }),
  response_mode: Type.Optional(Type.String({ description: 'query or fragment; each response type has its default.' })),
  nonce: Type.Optional(Type.String({ description: 'Copied into ID tokens. Required if the redirect contains one.' })),
  display: Type.Optional(Type.String({ description: 'page (default), popup or modal.' })),
  prompt: Type.Optional(Type.String({ description: 'A list of none, login, consent, separated by spaces.' })),
  max_age: Type.Optional(Type.Integer({ minimum: 0 })),
  ui_locales: Type.Optional(Type.String({ description: 'Ignored.' })),
  code_challenge: extension(Type.Optional(Type.String())),
  code_challenge_method: extension(Type.Optional(oneOf('S256'))),
}

const Address = named('Address', {
  formatted: Type.Optional(Type.String()),
  street_address: Type.Optional(Type.String()),
  locality: Type.Optional(Type.String()),
  region: Type.Optional(Type.String()),
  postal_code: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
})

/** Text claims of the scope `profile`. */
export const profileClaims = [
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
]
const texts = [...profileClaims, 'email', 'phone_number']

const UserInfo = named('UserInfo', {
  sub: Type.String(),
  ...Object.fromEntries(texts.map((claim) => [claim, Type.Optional(Type.String())])),
  email_verified: Type.Optional(Type.Boolean()),
  phone_number_verified: Type.Optional(Type.Boolean()),
  updated_at: Type.Optional(Type.Integer()),
  address: Type.Optional(Address),
  [locationClaims.neutral]: Type.Optional(Type.Object({ address: Type.Optional(Address) })),
  [locationClaims.original]: Type.Optional(Type.Object({ address: Type.Optional(Address) })),
})

const Token = named('Token', {
  token_type: Type.String(),
  access_token: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Integer()),
  expires_at: Type.Optional(Type.Integer({ description: 'Seconds since 1970.' })),
  id_token: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
})

const TokenRequest = named('TokenRequest', {
  grant_type: Type.String(),
  code: Type.String(),
  redirect_uri: Type.String(),
  client_id: Type.Optional(Type.String({ description: 'Here or in an Authorization header (HTTP Basic).' })),
  client_secret: Type.Optional(Type.String()),
  code_verifier: extension(Type.Optional(Type.String())),
})

const OwnToken = {
  token: Type.String(),
  token_type_hint: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String({ description: 'Here or in an Authorization header (HTTP Basic).' })),
  client_secret: Type.Optional(Type.String()),
}

const redirections = { 302: null, 303: null }
const form = ['application/x-www-form-urlencoded'] as const

export const protocol = {
  authorize: get('/authorize', {
    summary: 'Sign a user in: 302 to the client with the result, or 303 to the sign-in page.',
    query: Type.Object(AuthorizationRequest),
    replies: redirections,
    open: true,
  }),
  authorizeByPost: post('/authorize', {
    summary: 'Sign a user in, with the parameters in a form.',
    body: named('AuthorizationRequest', AuthorizationRequest),
    bodyTypes: form,
    replies: redirections,
    open: true,
    extension: true,
  }),
  token: post('/token', {
    summary: 'Exchange an authorization code, or a refresh token, for an ID token and an access token.',
    body: TokenRequest,
    bodyTypes: form,
    replies: { 200: Token },
    open: true,
  }),
  introspectToken: post('/token/introspect', {
    summary: "Check whether one of the client's own tokens is active (RFC 7662).",
    body: named('IntrospectionRequest', OwnToken),
    bodyTypes: form,
    replies: {
      200: named('Introspection', {
        active: Type.Boolean(),
        client_id: Type.Optional(Type.String()),
        sub: Type.Optional(Type.String()),
        scope: Type.Optional(Type.String()),
        token_type: Type.Optional(Type.String()),
        iss: Type.Optional(Type.String()),
        iat: Type.Optional(Type.Integer()),
        exp: Type.Optional(Type.Integer()),
      }),
    },
    open: true,
    extension: true,
  }),
  revokeToken: post('/token/revoke', {
    summary: "Revoke one of the client's own tokens, and all others of the same sign-in (RFC 7009).",
    body: named('RevocationRequest', OwnToken),
    bodyTypes: form,
    replies: { 200: null },
    open: true,
    extension: true,
  }),
  userInfo: get('/userinfo', {
    summary: 'Read the claims that the user shares.',
    replies: { 200: UserInfo },
  }),
  userInfoByPost: post('/userinfo', {
    summary: 'Read the claims, with the access token in the header or in a form.',
    replies: { 200: UserInfo },
    extension: true,
  }),
  discovery: get('/.well-known/openid-configuration', {
    summary: 'Read the discovery document.',
    replies: { 200: Type.Record(Type.Unknown()) },
    open: true,
    extension: true,
  }),
  jwks: get('/jwks', {
    summary: 'Read the public keys of token signatures.',
    replies: { 200: named('KeySet', { keys: Type.Array(Type.Record(Type.Unknown())) }) },
    open: true,
    extension: true,
  }),
}
