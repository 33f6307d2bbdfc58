import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { redirectUri } from '../app.ts'
import { type Answer, type Ask, authorize, successOf, type Visit } from './authorize.ts'
import { checkIdToken, type IdToken } from './claims.ts'
import { type Context, hasCode, hasIdToken, hasToken } from './plan.ts'

export type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

/** One sign-in from the request to the userinfo endpoint, with all that the suite checks on the way. */
export interface Outcome extends Visit {
  readonly answer: URLSearchParams
  readonly fromAuthorization: IdToken | undefined
  readonly fromToken: IdToken | undefined
  /** The last one that came. */
  readonly idToken: IdToken
  /** Of the token endpoint, if there was a code. */
  readonly tokens: Tokens | undefined
  /** The last one that came, if any. */
  readonly accessToken: string | undefined
}

export interface Flow extends Ask {
  readonly codeVerifier?: string
}

export async function signInAt(context: Context, flow: Flow = {}): Promise<Outcome> {
  const { responseType } = context
  const visit = await authorize(context, flow)
  const answer = successOf(context, visit)
  const nonce = visit.asked.get('nonce')
  const code = answer.params.get('code')
  const early = hasToken(responseType) ? answer.params.get('access_token') : undefined
  expect(answer.params.has('access_token')).toBe(hasToken(responseType))
  expect(answer.params.has('id_token')).toBe(hasIdToken(responseType))

  const expected = { nonce, accessToken: early, code, from: 'authorization' } as const
  const fromAuthorization = hasIdToken(responseType)
    ? await checkIdToken(context, answer.params.get('id_token') ?? '', expected)
    : undefined
  if (early) await expectUserInfo(context, early, fromAuthorization?.claims.sub)
  if (responseType === 'id_token') await believedByLibrary(context, visit, answer)

  const tokens = hasCode(responseType) ? await exchange(context, visit, answer, flow) : undefined
  const fromToken = tokens && (await checkTokens(context, tokens, nonce, code))
  if (fromAuthorization && fromToken) expect(fromToken.claims.sub).toBe(fromAuthorization.claims.sub)
  const idToken = fromToken ?? fromAuthorization
  if (!idToken) throw new Error(`no ID token came with ${responseType}`)
  if (tokens) await expectUserInfo(context, tokens.access_token, idToken.claims.sub)
  expect(idToken.claims.sub).toBe(context.person.sub)
  const accessToken = tokens?.access_token ?? early ?? undefined
  return { ...visit, answer: answer.params, fromAuthorization, fromToken, idToken, tokens, accessToken }
}

/** openid-client knows two of the code types; of the others it takes the code, and we have checked the rest. */
export async function exchange(
  { config, responseType }: Context,
  { asked }: Visit,
  { params, received }: Answer,
  { codeVerifier }: Flow = {},
): Promise<Tokens> {
  if (responseType === 'code' || responseType === 'code id_token') {
    const maxAge = asked.get('max_age')
    return oidc.authorizationCodeGrant(config, received, {
      expectedState: asked.get('state') ?? oidc.skipStateCheck,
      ...(asked.has('nonce') && { expectedNonce: asked.get('nonce') ?? '' }),
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

async function believedByLibrary({ config, person }: Context, { asked }: Visit, { received }: Answer): Promise<void> {
  const expectedState = asked.get('state') ?? ''
  const claims = await oidc.implicitAuthentication(config, received, asked.get('nonce') ?? '', { expectedState })
  expect(claims.sub).toBe(person.sub)
}

/** openid-client compares `sub` with the ID token's. */
export async function expectUserInfo({ config }: Context, accessToken: string, sub: string | undefined) {
  return oidc.fetchUserInfo(config, accessToken, sub ?? oidc.skipSubjectCheck)
}
