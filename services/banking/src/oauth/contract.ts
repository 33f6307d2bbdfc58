import { extensions, named, oneOf, secret, Type } from '@icosa/contract'
import { get, IdAnswer, many, NothingAnswer, one, pageQuery, post, read, remove, update } from '../dialect/contract.ts'
import { stamps } from '../shapes/contract.ts'

const url = Type.String({ pattern: '^https?://', maxLength: 1_000 })
const CallbackUrl = named('OauthCallbackUrl', { ...stamps, url: Type.String() })
const Change = named('NewOauthCallbackUrl', { url })
const OauthClient = named('OauthClient', {
  ...stamps,
  status: Type.String(),
  display_name: Type.String(),
  client_id: Type.String(),
  secret: Type.String(),
  callback_url: Type.Array(CallbackUrl),
})
const Status = named('OauthClientStatus', { status: Type.Optional(oneOf('ACTIVE', 'INACTIVE')) })
const Grant = named('OauthGrant', { ...stamps, status: Type.String(), display_name: Type.String() })
const word = Type.String({ maxLength: 300 })
const at = '/user/{userID}/oauth-client'
const below = '/user/{userID}/oauth-client/{oauth-clientID}/callback-url'
const extension = true

export const oauth = {
  ...extensions({
    createOauthClient: post(at, {
      summary: 'Register an application that other users can authorize.',
      body: Status,
      replies: { 200: IdAnswer },
    }),
    listOauthClients: get(at, {
      summary: 'List the applications of a user.',
      query: pageQuery,
      replies: { 200: many('OauthClient', OauthClient) },
    }),
    getOauthClient: read(`${at}/{itemId}`, 'Read an application.', one('OauthClient', OauthClient)),
    updateOauthClient: update(`${at}/{itemId}`, 'Activate or deactivate an application.', Status),
  }),

  createCallbackUrl: post(below, {
    summary: 'Add a URL to which users are redirected after giving consent.',
    body: Change,
    replies: { 200: IdAnswer },
  }),
  listCallbackUrls: get(below, {
    summary: 'List the redirect URLs of an application.',
    query: pageQuery,
    replies: { 200: many('OauthCallbackUrl', CallbackUrl) },
  }),
  getCallbackUrl: read(`${below}/{itemId}`, 'Read a redirect URL.', one('OauthCallbackUrl', CallbackUrl)),
  updateCallbackUrl: update(`${below}/{itemId}`, 'Change a redirect URL.', Change),
  deleteCallbackUrl: remove(`${below}/{itemId}`, {
    summary: 'Remove a redirect URL.',
    replies: { 200: NothingAnswer },
  }),

  createOauthToken: post('/token', {
    summary: 'Exchange an authorization code for a key that acts for the user, with the permissions of an application.',
    query: Type.Object({
      grant_type: word,
      code: secret(word),
      client_id: word,
      client_secret: word,
      redirect_uri: Type.String({ maxLength: 1_000 }),
    }),
    replies: {
      200: named('OauthToken', {
        access_token: Type.String(),
        token_type: Type.String(),
        state: Type.Nullable(Type.String()),
      }),
    },
    open: true,
    extension,
  }),
  listOauthGrants: get('/user/{userID}/oauth-grant', {
    summary: 'List the applications that a user has authorized.',
    query: pageQuery,
    replies: { 200: many('OauthGrant', Grant) },
    extension,
  }),
  deleteOauthGrant: remove('/user/{userID}/oauth-grant/{itemId}', {
    summary: 'Revoke the authorization of an application. Its sessions end within a second.',
    replies: { 200: NothingAnswer },
    extension,
  }),
}
