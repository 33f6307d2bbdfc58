import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityApp, redirectUri, startIdentity } from '../testing/app.ts'
import {
  authorize,
  errorOf,
  expectErrorPage,
  isSignIn,
  responseOf,
  type Visit,
} from '../testing/conformance/authorize.ts'
import { newContext, newPerson } from '../testing/conformance/context.ts'
import { signInAt } from '../testing/conformance/flow.ts'
import type { Context, TestUser } from '../testing/conformance/plan.ts'

/** Best current practice for OAuth 2.0 security (RFC 9700): a test for every requirement on providers. */
let identity: IdentityApp
let person: TestUser
let context: Context

beforeAll(async () => {
  identity = await startIdentity()
  person = await newPerson(identity)
  context = await newContext(identity, person)
})
afterAll(() => identity[Symbol.asyncDispose]())

const codeOf = (at: Context, visit: Visit) => responseOf(at, visit).params.get('code') ?? ''
const redeem = (at: Context, params: Record<string, string>) =>
  oidc.genericGrantRequest(at.config, 'authorization_code', { redirect_uri: redirectUri, ...params })
const invalidGrant = { error: 'invalid_grant' }

describe('redirection (2.1, 4.1, 4.11)', () => {
  test.each([
    `${redirectUri}/`,
    `${redirectUri}?more=1`,
    `${redirectUri}#fragment`,
    `${redirectUri}/../cb`,
    'http://rp.example/cb',
    'https://rp.example:8443/cb',
    'https://RP.example/cb',
    'https://rp.example/%63b',
    'https://rp.example@evil.example/cb',
    'https://rp.example.evil.example/cb',
    'https://evil.example/cb',
  ])('%s is not the registered URI', async (redirect_uri) => {
    const visit = await authorize(context, { params: { redirect_uri } })
    expect(visit.shown).toEqual([])
    expectErrorPage(visit, /redirect_uri/)
  })

  test('is never to an unregistered URI, whatever else is wrong', async () => {
    const redirect_uri = 'https://evil.example/cb'
    for (const more of [
      { prompt: 'none' },
      { response_type: 'nonsense' },
      { scope: 'nonsense' },
      { response_mode: 'nonsense' },
      { request: 'nonsense' },
    ])
      expectErrorPage(await authorize(context, { params: { redirect_uri, ...more } }), /This did not work/)
  })

  test('after signing out is only to registered URIs', async () => {
    const { visitor, idToken } = await signInAt(context)
    const url = oidc.buildEndSessionUrl(context.config, {
      id_token_hint: idToken.raw,
      post_logout_redirect_uri: 'https://evil.example/',
    })
    const page = await visitor.open(url)
    expect(page.status).toBe(400)
    expect(page.location).toBeUndefined()
    expect(page.text).toContain('post_logout_redirect_uri not registered')
  })

  test('uses 303 after credentials were posted, so that no browser posts them again (4.12)', async () => {
    const visitor = identity.browser()
    const params = { redirect_uri: redirectUri, scope: 'openid', state: 'st', prompt: 'consent' }
    const url = oidc.buildAuthorizationUrl(context.config, params)
    const signInPage = await visitor.open(url)
    const { email, password } = person
    const signedIn = await visitor.submit(signInPage, '/sign-in', { email, password })
    expect(signedIn.status).toBe(303)
    const consented = await visitor.submit(await visitor.follow(signedIn), '/consent')
    expect(consented.status).toBe(303)
  })
})

describe('registered URIs (2.1, 2.6)', () => {
  test('require TLS, except for loopback', async () => {
    const http = { redirect_uris: ['http://rp.example/cb'], response_types: ['code'] }
    await expect(identity.client(http)).rejects.toThrow('400')
  })

  test('of native apps on loopback match any port, but no other path', async () => {
    const registered = { redirect_uris: ['http://127.0.0.1/cb'], response_types: ['code'] }
    const app = await context.withClient({ ...registered, application_type: 'native' })
    const { end } = await authorize(app, { params: { redirect_uri: 'http://127.0.0.1:51004/cb' } })
    expect(end.location?.origin).toBe('http://127.0.0.1:51004')
    const elsewhere = await authorize(app, { params: { redirect_uri: 'http://127.0.0.1:51004/other' } })
    expectErrorPage(elsewhere, /redirect_uri/)
  })
})

describe('authorization codes (2.1.1, 4.5)', () => {
  test('of public clients are bound to PKCE', async () => {
    const app = await context.withClient({ token_endpoint_auth_method: 'none' })
    const without = await authorize(app)
    expect(without.shown).toEqual([])
    expect(errorOf(app, without)).toBe('invalid_request')

    const codeVerifier = oidc.randomPKCECodeVerifier()
    const code_challenge = await oidc.calculatePKCECodeChallenge(codeVerifier)
    const params = { code_challenge, code_challenge_method: 'S256' }
    await signInAt(app, { params, codeVerifier })

    const withoutVerifier = codeOf(app, await authorize(app, { params }))
    await expect(redeem(app, { code: withoutVerifier })).rejects.toMatchObject(invalidGrant)
    const wrongVerifier = codeOf(app, await authorize(app, { params }))
    const other = oidc.randomPKCECodeVerifier()
    await expect(redeem(app, { code: wrongVerifier, code_verifier: other })).rejects.toMatchObject(invalidGrant)
  })

  test('are not issued for weaker PKCE methods', async () => {
    const code_challenge = oidc.randomPKCECodeVerifier()
    for (const params of [{ code_challenge, code_challenge_method: 'plain' }, { code_challenge }]) {
      const visit = await authorize(context, { params })
      expect(visit.shown).toEqual([])
      expect(errorOf(context, visit)).toBe('invalid_request')
    }
  })

  test('without a challenge are not redeemed with a verifier (4.8)', async () => {
    const code = codeOf(context, await authorize(context))
    const code_verifier = oidc.randomPKCECodeVerifier()
    await expect(redeem(context, { code, code_verifier })).rejects.toMatchObject(invalidGrant)
  })

  test('are bound to their client', async () => {
    const other = await context.withClient({})
    const code = codeOf(context, await authorize(context))
    await expect(redeem(other, { code })).rejects.toMatchObject(invalidGrant)
  })

  test('are bound to their redirect URI', async () => {
    const both = await context.withClient({ redirect_uris: [redirectUri, 'https://rp.example/other'] })
    const code = codeOf(both, await authorize(both))
    await expect(redeem(both, { code, redirect_uri: 'https://rp.example/other' })).rejects.toMatchObject(invalidGrant)
  })

  test('are valid once, and a replay revokes the issued tokens', async () => {
    const { responseParams, accessToken = '' } = await signInAt(context)
    await expect(redeem(context, { code: responseParams.get('code') ?? '' })).rejects.toMatchObject(invalidGrant)
    await expect(oidc.fetchUserInfo(context.config, accessToken, person.sub)).rejects.toMatchObject({ status: 401 })
  })
})

describe('mix-up and injection (4.4, 4.5, 4.7)', () => {
  test('responses and errors contain the issuer', async () => {
    expect(context.config.serverMetadata().authorization_response_iss_parameter_supported).toBe(true)
    expect(responseOf(context, await authorize(context)).params.get('iss')).toBe(identity.issuer)
    const refused = await authorize(context, { params: { prompt: 'none' } })
    expect(responseOf(context, refused).params.get('iss')).toBe(identity.issuer)
  })

  const odd = `a b+c%20&d=e;f#g?"<b>'\\/ é 漢 😀 `
  test.each(['GET', 'POST'] as const)('state and nonce are returned unchanged for %s', async (method) => {
    const { responseParams, idToken } = await signInAt(context, { method, params: { state: odd, nonce: odd } })
    expect(responseParams.get('state')).toBe(odd)
    expect(idToken.claims.nonce).toBe(odd)
  })

  test('state and nonce are returned unchanged in a form', async () => {
    const form = await newContext(identity, person, { responseType: 'code id_token', formPost: true })
    const { responseParams, fromAuthorization } = await signInAt(form, { params: { state: odd, nonce: odd } })
    expect(responseParams.get('state')).toBe(odd)
    expect(fromAuthorization?.claims.nonce).toBe(odd)
  })
})

describe('tokens (2.2, 4.2, 4.3, 4.14)', () => {
  test('refresh tokens are valid once, and a replay revokes the whole family', async () => {
    const app = await context.withClient(
      { grant_types: ['authorization_code', 'implicit', 'refresh_token'] },
      { tokenEndpoint: `${identity.app.url}/acme/oauth2/v2.0/token` },
    )
    const params = { scope: 'openid offline_access', prompt: 'consent' }
    const { tokens } = await signInAt(app, { params })
    const first = tokens?.refresh_token ?? ''
    const renewed = await oidc.refreshTokenGrant(app.config, first)
    expect(renewed.refresh_token).toBeTruthy()
    expect(renewed.refresh_token).not.toBe(first)
    await expect(oidc.refreshTokenGrant(app.config, first)).rejects.toMatchObject(invalidGrant)
    await expect(oidc.refreshTokenGrant(app.config, renewed.refresh_token ?? '')).rejects.toMatchObject(invalidGrant)
    await expect(oidc.fetchUserInfo(app.config, renewed.access_token, person.sub)).rejects.toMatchObject({
      status: 401,
    })
  })

  test('access tokens are not accepted in a URL', async () => {
    const { accessToken = '' } = await signInAt(context)
    const userInfo = `${identity.issuer}/userinfo`
    for (const headers of [{}, { authorization: `Bearer ${accessToken}` }]) {
      const response = await fetch(`${userInfo}?access_token=${accessToken}`, { headers })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  test('are not cached', async () => {
    const code = codeOf(context, await authorize(context))
    const form = { ...context.client, code, redirect_uri: redirectUri, grant_type: 'authorization_code' }
    const body = new URLSearchParams(form)
    const response = await fetch(`${identity.issuer}/token`, { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const posting = await newContext(identity, person, { responseType: 'id_token token', formPost: true })
    const { end } = await authorize(posting)
    expect(end.headers.get('cache-control')).toBe('no-store')
  })

  test('are not issued for passwords (2.4)', async () => {
    const { email, password } = person
    const tokenEndpoint = `${identity.app.url}/acme/oauth2/v2.0/token`
    for (const at of [context, await context.withClient({}, { tokenEndpoint })])
      await expect(
        oidc.genericGrantRequest(at.config, 'password', { username: email, password }),
      ).rejects.toMatchObject({ error: 'unsupported_grant_type' })
  })
})

describe('pages (4.2, 4.16, 2.6)', () => {
  async function allPages() {
    const { shown, visitor } = await authorize(context, { params: { prompt: 'consent' } })
    expect(shown.map(isSignIn)).toEqual([true, false])
    const refused = await authorize(context, { params: { redirect_uri: 'https://evil.example/' } })
    const signOut = await visitor.open(`${identity.issuer}/session/end`)
    expect(signOut.text).toContain('Sign out')
    return [...shown, refused.end, signOut]
  }

  test('cannot be framed', async () => {
    for (const { url, headers } of await allPages()) {
      expect(headers.get('content-security-policy'), url.pathname).toMatch(/frame-ancestors 'none'/)
      expect(headers.get('x-frame-options'), url.pathname).toBe('DENY')
    }
  })

  test('do not leak their URL as referrer', async () => {
    for (const { url, headers } of await allPages())
      expect(['no-referrer', 'same-origin'], url.pathname).toContain(headers.get('referrer-policy'))
  })

  test('have neither credentials nor codes in their URLs', async () => {
    const { shown } = await authorize(context, { params: { prompt: 'consent', login_hint: person.email } })
    for (const { url } of shown)
      expect(`${url.pathname}${url.search}`).toMatch(/^\/identity-connect\/interaction\/[\w-]+$/)
  })

  test('are not cached', async () => {
    for (const { headers } of await allPages()) expect(headers.get('cache-control')).toContain('no-store')
  })

  test('of the authorization endpoint do not allow cross-origin scripts', async () => {
    const { client_id } = context.client
    const query = new URLSearchParams({
      client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 'st',
    })
    const response = await fetch(`${identity.issuer}/authorize?${query}`, {
      headers: { origin: 'https://rp.example' },
      redirect: 'manual',
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})
