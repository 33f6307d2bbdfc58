import * as oidc from 'openid-client'
import { generators, Issuer, type ResponseType } from 'openid-client-5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityApp, redirectUri, signIn, startIdentity } from '../testing/app.ts'
import { newPerson } from '../testing/conformance/context.ts'
import { type Profile, startPassportApp } from '../testing/conformance/passport.ts'
import { responseTypes, type TestUser } from '../testing/conformance/plan.ts'

/** Client libraries, configured only with the issuer's URL. */
let identity: IdentityApp
let person: TestUser

beforeAll(async () => {
  identity = await startIdentity()
  person = await newPerson(identity)
})
afterAll(() => identity[Symbol.asyncDispose]())

/** Follows the application's link, signs in, and returns the redirect. */
async function signInVia(url: URL | string): Promise<URL> {
  const visitor = identity.browser()
  const { location } = await signIn(visitor, await visitor.get(url))
  if (!location) throw new Error('the browser was not redirected to the application')
  return location
}

const insecure = { execute: [oidc.allowInsecureRequests] }

describe('openid-client 6', () => {
  async function signInWith(config: oidc.Configuration): Promise<oidc.UserInfoResponse> {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const expectedState = oidc.randomState()
    const expectedNonce = oidc.randomNonce()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    const checks = { pkceCodeVerifier, expectedState, expectedNonce }
    const tokens = await oidc.authorizationCodeGrant(config, await signInVia(url), checks)
    return oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
  }

  test('discovers the provider, signs a user in and reads userinfo', async () => {
    const { client_id, client_secret } = await identity.client()
    const config = await oidc.discovery(new URL(identity.issuer), client_id, client_secret, undefined, insecure)
    expect(await signInWith(config)).toMatchObject({ sub: person.sub, email: person.email })
  })

  test('verifies signatures, if enabled', async () => {
    const { client_id, client_secret } = await identity.client()
    const config = await oidc.discovery(new URL(identity.issuer), client_id, client_secret, undefined, insecure)
    oidc.enableNonRepudiationChecks(config)
    expect(await signInWith(config)).toMatchObject({ sub: person.sub })
  })

  test('registers itself with a platform key, and signs a user in', async () => {
    const initialAccessToken = await identity.app.key('acme')
    const metadata = { redirect_uris: [redirectUri], client_name: 'Self-made' }
    const config = await oidc.dynamicClientRegistration(new URL(identity.issuer), metadata, undefined, {
      ...insecure,
      initialAccessToken,
    })
    expect(config.clientMetadata()).toMatchObject({ client_name: 'Self-made', client_secret_expires_at: 0 })
    expect(await signInWith(config)).toMatchObject({ sub: person.sub })
  })

  test('cannot register itself without a key', async () => {
    const metadata = { redirect_uris: [redirectUri] }
    const attempt = oidc.dynamicClientRegistration(new URL(identity.issuer), metadata, undefined, insecure)
    await expect(attempt).rejects.toMatchObject({ status: 401 })
  })
})

describe('openid-client 5', () => {
  test.each(responseTypes)('signs a user in with %s', async (responseType) => {
    const { client_id, client_secret } = await identity.client()
    const issuer = await Issuer.discover(identity.issuer)
    // Its types lack some response types.
    const response_type = responseType as ResponseType
    const client = new issuer.Client({ client_id, client_secret, response_types: [response_type] })
    const [state, nonce] = [generators.state(), generators.nonce()]
    const request = { redirect_uri: redirectUri, scope: 'openid email', response_type, state, nonce }
    const { search, hash } = await signInVia(client.authorizationUrl(request))
    const params = client.callbackParams(`${redirectUri}?${search.slice(1)}${hash.slice(1)}`)
    const tokens = await client.callback(redirectUri, params, { state, nonce, response_type })
    expect(tokens.claims()).toMatchObject({ sub: person.sub, aud: client_id })
    if (tokens.access_token) expect(await client.userinfo(tokens)).toMatchObject({ email: person.email })
  })

  test('registers itself with a platform key', async () => {
    const issuer = await Issuer.discover(identity.issuer)
    const key = await identity.app.key('acme')
    // Its types lack client registration.
    const Client = issuer.Client as unknown as {
      register(metadata: object, options: object): Promise<{ readonly metadata: Record<string, unknown> }>
    }
    const client = await Client.register({ redirect_uris: [redirectUri] }, { initialAccessToken: key })
    expect(client.metadata).toMatchObject({ redirect_uris: [redirectUri], response_types: ['code'] })
  })
})

test('passport-openidconnect signs a user in', async () => {
  await using app = await startPassportApp({
    issuer: identity.issuer,
    client: () => identity.client({ test_mode: true, redirect_uris: [], response_types: ['code'] }),
  })
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const back = await signInVia(login.headers.get('location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe(app.callback)
  const response = await fetch(back)
  expect(response.status).toBe(200)
  const profile = (await response.json()) as Profile
  expect(profile).toMatchObject({ id: person.sub, displayName: 'Ada Lovelace', emails: [{ value: person.email }] })
})

test('passport-openidconnect is notified of a cancelled sign-in', async () => {
  await using app = await startPassportApp({
    issuer: identity.issuer,
    client: (callback) =>
      identity.client({ application_type: 'native', redirect_uris: [callback], response_types: ['code'] }),
  })
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const visitor = identity.browser()
  const page = await visitor.open(login.headers.get('location') ?? '')
  const { location } = await visitor.follow(await visitor.submit(page, '/cancel'))
  const response = await fetch(location ?? '')
  expect(response.status).toBe(401)
})
