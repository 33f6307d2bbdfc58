import { extension, named, oneOf, operationsOf, Type } from '@icosa/contract'
import { protocolDialect } from '../errors/contract.ts'
import { locationClaims } from '../names.ts'

const { get, post } = operationsOf(protocolDialect)

/** What may be asked for at /authorize, in the spelling of the specification. */
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
    description: `One of: ${responseTypes.join(', ')}; as far as the client may use it.`,
  }),
  scope: Type.String({ description: 'What to learn of the person, separated by spaces; always with openid.' }),
  redirect_uri: Type.String(),
  state: Type.String({ description: 'Comes back unchanged. May be left out where code_challenge is sent.' }),
  response_mode: Type.Optional(Type.String({ description: 'query or fragment; each response type has its default.' })),
  nonce: Type.Optional(Type.String({ description: 'Copied into ID tokens. Needed where one comes in the redirect.' })),
  display: Type.Optional(Type.String({ description: 'page, popup or modal; page if nothing is said.' })),
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

/** What the scope `profile` opens, as far as it is text. */
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
    summary: 'Sign a person in: 302 back to the client with the outcome, or 303 to the sign-in page.',
    query: Type.Object(AuthorizationRequest),
    replies: redirections,
    open: true,
  }),
  authorizeByPost: post('/authorize', {
    summary: 'The same with the parameters in a form.',
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
    summary: "Ask whether one of the client's own tokens is alive (RFC 7662).",
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
    summary: "End one of the client's own tokens, and all that came of the same sign-in (RFC 7009).",
    body: named('RevocationRequest', OwnToken),
    bodyTypes: form,
    replies: { 200: null },
    open: true,
    extension: true,
  }),
  userInfo: get('/userinfo', {
    summary: 'Read what the person shares.',
    replies: { 200: UserInfo },
  }),
  userInfoByPost: post('/userinfo', {
    summary: 'The same with the access token in the header or in a form.',
    replies: { 200: UserInfo },
    extension: true,
  }),
  discovery: get('/.well-known/openid-configuration', {
    summary: 'What this provider offers and where.',
    replies: { 200: Type.Record(Type.Unknown()) },
    open: true,
    extension: true,
  }),
  jwks: get('/jwks', {
    summary: 'The public keys that its tokens are signed with.',
    replies: { 200: named('KeySet', { keys: Type.Array(Type.Record(Type.Unknown())) }) },
    open: true,
    extension: true,
  }),
}
