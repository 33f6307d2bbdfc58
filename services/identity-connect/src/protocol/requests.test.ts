import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityApp, redirectUri, signIn, startIdentity } from '../testing/app.ts'

let identity: IdentityApp
beforeAll(async () => {
  identity = await startIdentity()
  await identity.person()
})
afterAll(() => identity[Symbol.asyncDispose]())

interface Client {
  readonly client_id: string
  readonly client_secret: string
}

const authorizeUrl = ({ client_id }: Client, params: Record<string, string | undefined> = {}) => {
  const all = { client_id, response_type: 'code', redirect_uri: redirectUri, scope: 'openid', state: 'st', ...params }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value)
  return `${identity.issuer}/authorize?${query}`
}

const form = (path: string, fields: Record<string, string>) =>
  fetch(`${identity.issuer}${path}`, { method: 'POST', body: new URLSearchParams(fields) })

async function tokensFor(client: Client, scope = 'openid') {
  const visitor = identity.browser()
  const { location } = await signIn(visitor, await visitor.get(authorizeUrl(client, { scope, prompt: 'consent' })))
  const code = location?.searchParams.get('code') ?? ''
  const response = await form('/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    ...client,
  })
  return (await response.json()) as { readonly access_token: string; readonly refresh_token?: string }
}

test('state is required, unless PKCE is used', async () => {
  const client = await identity.client()
  const refused = await identity.browser().get(authorizeUrl(client, { state: undefined }))
  expect(refused.status).toBe(302)
  expect(Object.fromEntries(refused.location?.searchParams ?? [])).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('state is required'),
  })
  const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
  expect((await identity.browser().get(authorizeUrl(client, { state: undefined, ...challenge }))).status).toBe(303)
})

test('scope must include openid, and defaults to the registered scopes', async () => {
  const client = await identity.client()
  for (const scope of ['email', undefined]) {
    const { location } = await identity.browser().get(authorizeUrl(client, { scope }))
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringContaining('openid'),
      state: 'st',
    })
  }
  const registered = await identity.client({ default_scopes: ['openid', 'email'] })
  expect((await identity.browser().get(authorizeUrl(registered, { scope: undefined }))).status).toBe(303)
})

test('a refresh token works at the token endpoint that the discovery document names', async () => {
  const client = await identity.client({ grant_types: ['authorization_code', 'implicit', 'refresh_token'] })
  const discovery = await fetch(`${identity.issuer}/.well-known/openid-configuration`)
  const document = (await discovery.json()) as Record<string, unknown>
  expect(document.token_endpoint).toBe(`${identity.issuer}/token`)
  expect(document.grant_types_supported).toContain('refresh_token')
  expect(document.scopes_supported).not.toContain('vendor:push')
  const { refresh_token = '' } = await tokensFor(client, 'openid offline_access')
  const response = await form('/token', { grant_type: 'refresh_token', refresh_token, ...client })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ access_token: expect.any(String), id_token: expect.any(String) })
})

test('a client introspects and revokes its own tokens', async () => {
  const [client, other] = [await identity.client(), await identity.client()]
  const { access_token: token } = await tokensFor(client, 'openid email')
  const introspect = async (caller: Client, secret = caller.client_secret) => {
    const response = await form('/token/introspect', { token, client_id: caller.client_id, client_secret: secret })
    return [response.status, await response.json()]
  }
  expect(await introspect(client)).toMatchObject([
    200,
    { active: true, client_id: client.client_id, scope: 'openid email', iss: identity.issuer, exp: expect.any(Number) },
  ])
  expect(await introspect(other), "another client's").toEqual([200, { active: false }])
  expect(await introspect(client, 'wrong')).toMatchObject([401, { error: 'invalid_client' }])
  const use = () => fetch(`${identity.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  expect((await form('/token/revoke', { token, ...other })).status, "another client's token is not revoked").toBe(200)
  expect((await use()).status).toBe(200)
  expect((await form('/token/revoke', { token, ...client })).status).toBe(200)
  expect((await use()).status).toBe(401)
  expect(await introspect(client)).toEqual([200, { active: false }])
  const discovery = await fetch(`${identity.issuer}/.well-known/openid-configuration`)
  expect(await discovery.json()).toMatchObject({
    introspection_endpoint: `${identity.issuer}/token/introspect`,
    revocation_endpoint: `${identity.issuer}/token/revoke`,
  })
})

test('platform tokens are rejected by type, instead of being reported as inactive', async () => {
  const client = await identity.client()
  const token = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.e30.c2ln`
  for (const path of ['/token/introspect', '/token/revoke']) {
    const response = await form(path, { token, ...client })
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'unsupported_token_type' }])
  }
})

test('rotating a client secret invalidates the old one', async () => {
  const client = await identity.client()
  const headers = { authorization: `Bearer ${await identity.app.key('acme')}` }
  const at = `${identity.issuer}/client/${client.client_id}/secret`
  const rotated = await fetch(at, { method: 'POST', headers })
  expect(rotated.status).toBe(200)
  const { client_secret, client_id } = (await rotated.json()) as Client
  expect(client_id).toBe(client.client_id)
  expect(client_secret).not.toBe(client.client_secret)
  const status = async (secret: string) =>
    (await form('/token/introspect', { token: 'none', client_id, client_secret: secret })).status
  await expect.poll(() => status(client_secret)).toBe(200)
  await expect.poll(() => status(client.client_secret)).toBe(401)
  const read = await fetch(`${identity.issuer}/client/${client_id}`, { headers })
  expect(await read.json()).not.toHaveProperty('client_secret')

  const publicClient = await identity.client({ token_endpoint_auth_method: 'none' })
  const refused = await fetch(`${identity.issuer}/client/${publicClient.client_id}/secret`, { method: 'POST', headers })
  expect(refused.status, 'it has no secret').toBe(409)
  expect(
    (await fetch(at, { method: 'POST', headers: { authorization: `Bearer ${await identity.app.key('other')}` } }))
      .status,
  ).toBe(404)
})

test('test mode accepts any redirect URI, and warns the user every time', async () => {
  const testing = await identity.client({ test_mode: true })
  const elsewhere = 'https://preview-7.example/cb'
  const visitor = identity.browser()
  const page = await visitor.follow(await visitor.get(authorizeUrl(testing, { redirect_uri: elsewhere })))
  expect(page.text).toMatch(/test mode/i)
  expect(page.text).toContain('preview-7.example')
  const { location } = await signIn(visitor, page)
  expect(location?.href).toContain(`${elsewhere}?code=`)

  const second = await visitor.follow(await visitor.get(authorizeUrl(testing, { redirect_uri: elsewhere })))
  expect(second.location, 'prompted again despite consent').toBeUndefined()
  expect(second.text).toMatch(/test mode/i)
  const silent = await visitor.get(authorizeUrl(testing, { redirect_uri: elsewhere, prompt: 'none' }))
  expect(silent.location?.searchParams.get('error')).toBe('consent_required')
  const registered = await visitor.follow(await visitor.get(authorizeUrl(testing)))
  expect(registered.location?.searchParams.has('code'), 'no prompt for a registered URI').toBe(true)

  const normal = await identity.client()
  const refused = await visitor.get(authorizeUrl(normal, { redirect_uri: elsewhere }))
  expect([refused.status, refused.location]).toEqual([400, undefined])
})
