import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { redirectUri } from '../app.ts'
import { type AuthorizationOptions, type AuthorizationResponse, authorize, successOf, type Visit } from './authorize.ts'
import { checkIdToken, type IdToken } from './claims.ts'
import { type Context, hasCode, hasIdToken, hasToken } from './plan.ts'

export type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

/** A sign-in from the request to the userinfo endpoint, with the suite's checks. */
export interface Outcome extends Visit {
  readonly responseParams: URLSearchParams
  readonly fromAuthorization: IdToken | undefined
  readonly fromToken: IdToken | undefined
  /** The last one received. */
  readonly idToken: IdToken
  /** From the token endpoint, if there was a code. */
  readonly tokens: Tokens | undefined
  /** The last one received, if any. */
  readonly accessToken: string | undefined
}

export interface Flow extends AuthorizationOptions {
  readonly codeVerifier?: string
}

export async function signInAt(context: Context, flow: Flow = {}): Promise<Outcome> {
  const { responseType } = context
  const visit = await authorize(context, flow)
  const response = successOf(context, visit)
  const nonce = visit.requestParams.get('nonce')
  const code = response.params.get('code')
  const implicitToken = hasToken(responseType) ? response.params.get('access_token') : undefined
  expect(response.params.has('access_token')).toBe(hasToken(responseType))
  expect(response.params.has('id_token')).toBe(hasIdToken(responseType))

  const expected = { nonce, accessToken: implicitToken, code, from: 'authorization' } as const
  const fromAuthorization = hasIdToken(responseType)
    ? await checkIdToken(context, response.params.get('id_token') ?? '', expected)
    : undefined
  if (implicitToken) await expectUserInfo(context, implicitToken, fromAuthorization?.claims.sub)
  if (responseType === 'id_token') await expectLibraryAccepts(context, visit, response)

  const tokens = hasCode(responseType) ? await exchange(context, visit, response, flow) : undefined
  const fromToken = tokens && (await checkTokens(context, tokens, nonce, code))
  if (fromAuthorization && fromToken) expect(fromToken.claims.sub).toBe(fromAuthorization.claims.sub)
  const idToken = fromToken ?? fromAuthorization
  if (!idToken) throw new Error(`no ID token for ${responseType}`)
  if (tokens) await expectUserInfo(context, tokens.access_token, idToken.claims.sub)
  expect(idToken.claims.sub).toBe(context.person.sub)
  const accessToken = tokens?.access_token ?? implicitToken ?? undefined
  return { ...visit, responseParams: response.params, fromAuthorization, fromToken, idToken, tokens, accessToken }
}

/** openid-client supports two of the code types; for others it only redeems the code, and the rest is checked above. */
export async function exchange(
  { config, responseType }: Context,
  { requestParams }: Visit,
  { params, received }: AuthorizationResponse,
  { codeVerifier }: Flow = {},
): Promise<Tokens> {
  if (responseType === 'code' || responseType === 'code id_token') {
    const maxAge = requestParams.get('max_age')
    return oidc.authorizationCodeGrant(config, received, {
      expectedState: requestParams.get('state') ?? oidc.skipStateCheck,
      ...(requestParams.has('nonce') && { expectedNonce: requestParams.get('nonce') ?? '' }),
      ...(codeVerifier !== undefined && { pkceCodeVerifier: codeVerifier }),
      ...(maxAge !== null && { maxAge: Number(maxAge) }),
      idTokenExpected: true,
    })
  }
  return oidc.genericGrantRequest(config, 'authorization_code', {
    code: params.get('code') ?? '',
    redirect_uri: redirectUri,
    ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
  })
}

async function checkTokens(context: Context, tokens: Tokens, nonce: string | null, code: string | null) {
  expect(tokens.token_type.toLowerCase()).toBe('bearer')
  expect(tokens.access_token).toMatch(/^[\x20-\x7e]+$/)
  expect(tokens.expires_in).toBeGreaterThan(0)
  return checkIdToken(context, tokens.id_token ?? '', { nonce, accessToken: tokens.access_token, code, from: 'token' })
}

async function expectLibraryAccepts(
  { config, person }: Context,
  { requestParams }: Visit,
  { received }: AuthorizationResponse,
): Promise<void> {
  const expectedState = requestParams.get('state') ?? ''
  const claims = await oidc.implicitAuthentication(config, received, requestParams.get('nonce') ?? '', {
    expectedState,
  })
  expect(claims.sub).toBe(person.sub)
}

/** openid-client compares `sub` with the ID token's. */
export async function expectUserInfo({ config }: Context, accessToken: string, sub: string | undefined) {
  return oidc.fetchUserInfo(config, accessToken, sub ?? oidc.skipSubjectCheck)
}
