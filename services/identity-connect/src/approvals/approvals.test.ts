import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Metadata } from '../clients/metadata.ts'
import { ada, type IdentityApp, redirectUri, signIn, startIdentity } from '../testing/app.ts'
import type { Browser, Page } from '../testing/browser.ts'
import { approveClient, withdrawClient } from './operator.ts'

const resource = 'urn:icosa:platform'
const bob = { name: 'Bob', email: 'bob@example.com', password: 'difference engine no. 2', tenant: 'globex' }

let identity: IdentityApp
let issuer: string
beforeAll(async () => {
  identity = await startIdentity()
  issuer = identity.issuer
  await identity.person({ ...ada, tenant: 'acme' })
  await identity.person(bob)
})
afterAll(() => identity[Symbol.asyncDispose]())

interface Application {
  readonly id: string
  /** Sends a browser to the authorization endpoint. */
  authorize(visitor: Browser, params: Readonly<Record<string, string>>): Promise<Page>
  redeem(end: Page): Promise<Response>
  refresh(token: string, scope?: string): Promise<Response>
}

async function application(metadata: Metadata = {}): Promise<Application> {
  const { client_id, client_secret } = await identity.client(metadata)
  const request = { client_id, redirect_uri: redirectUri, response_type: 'code', state: 'st' }
  const post = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ client_id, client_secret, ...form }) })
  return {
    id: client_id,
    authorize: (visitor, params) =>
      visitor.get(`${issuer}/authorize?${new URLSearchParams({ ...request, ...params })}`),
    redeem: (end) =>
      post(`${issuer}/token`, {
        grant_type: 'authorization_code',
        code: end.location?.searchParams.get('code') ?? 'none',
        redirect_uri: redirectUri,
      }),
    refresh: (refresh_token, scope) =>
      post(`${identity.app.url}/acme/oauth2/v2.0/token`, {
        grant_type: 'refresh_token',
        refresh_token,
        ...(scope && { scope }),
      }),
  }
}

const use = (token: string) => fetch(`${issuer}/client`, { headers: { authorization: `Bearer ${token}` } })
const tokensOf = async (response: Response) => {
  expect(response.status).toBe(200)
  return (await response.json()) as { readonly access_token: string; readonly refresh_token: string }
}
const errorOf = ({ location }: Page) =>
  location?.searchParams.get('error') ?? new URLSearchParams(location?.hash.slice(1)).get('error')

test.each([
  { scope: 'openid platform', resource },
  { scope: 'openid platform' },
  { scope: 'openid', resource },
  { scope: 'openid platform', resource, response_type: 'token', nonce: 'n' },
  { scope: 'openid platform', resource, prompt: 'none' },
  { scope: 'openid platform', resource, display: 'modal' },
])('an unapproved client is rejected before the user sees a page: %j', async (params) => {
  const notes = await application({ default_scopes: ['openid', 'platform'] })
  const visitor = identity.browser()
  const response = await notes.authorize(visitor, params)
  expect([response.status, errorOf(response)]).toEqual([302, 'invalid_scope'])
  expect(response.location?.href).toContain(redirectUri)
})

test('registering a client does not approve it', async () => {
  const notes = await application({ default_scopes: ['openid', 'platform'], test_mode: true })
  const response = await notes.authorize(identity.browser(), {})
  expect(errorOf(response)).toBe('invalid_scope')
})

test('a client approved for a tenant gets tokens only from users of that tenant', async () => {
  const notes = await application()
  await identity.approve(notes.id, 'acme')
  const visitor = identity.browser()
  const end = await signIn(visitor, await notes.authorize(visitor, { scope: 'openid platform' }))
  const { access_token } = await tokensOf(await notes.redeem(end))
  expect(decodeJwt(access_token)).toMatchObject({ aud: resource, scope: 'platform', tenant: 'acme' })
  expect((await use(access_token)).status).toBe(200)

  const other = identity.browser()
  const page = await other.follow(await notes.authorize(other, { scope: 'openid platform', resource }))
  const { email, password } = bob
  const refused = await other.follow(await other.submit(page, '/sign-in', { email, password }))
  expect(errorOf(refused), 'Bob acts for Globex and is not prompted').toBe('invalid_scope')
  const plain = await signIn(other, await notes.authorize(other, { scope: 'openid email' }), bob)
  expect(plain.location?.searchParams.has('code'), 'signing in requires no approval').toBe(true)
})

test('withdrawing an approval revokes consent, codes, refresh tokens and access tokens', async () => {
  const notes = await application({ grant_types: ['authorization_code', 'implicit', 'refresh_token'] })
  await identity.approve(notes.id, 'acme')
  const visitor = identity.browser()
  const request = { scope: 'openid platform offline_access', resource, prompt: 'consent' }
  const first = await tokensOf(await notes.redeem(await signIn(visitor, await notes.authorize(visitor, request))))
  const second = await tokensOf(await notes.refresh(first.refresh_token))
  expect((await use(second.access_token)).status).toBe(200)
  const unused = await visitor.follow(await notes.authorize(visitor, { scope: 'openid platform' }))
  expect(unused.location?.searchParams.has('code')).toBe(true)

  await withdrawClient(identity.app.platform, notes.id)
  const refused = await notes.authorize(visitor, { scope: 'openid platform' })
  expect([refused.status, errorOf(refused)]).toEqual([302, 'invalid_scope'])
  for (const response of [await notes.redeem(unused), await notes.refresh(second.refresh_token)]) {
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_scope' })
  }
  await expect.poll(async () => (await use(second.access_token)).status).toBe(401)
  await expect(withdrawClient(identity.app.platform, notes.id)).rejects.toMatchObject({ kind: 'notFound' })
})

test('a platform token is never issued without the scope', async () => {
  const notes = await application({ grant_types: ['authorization_code', 'implicit', 'refresh_token'] })
  await identity.approve(notes.id)
  const bare = await notes.authorize(identity.browser(), { scope: 'openid', resource })
  expect(errorOf(bare)).toBe('invalid_scope')
  const visitor = identity.browser()
  const request = { scope: 'openid platform offline_access', prompt: 'consent' }
  const { refresh_token } = await tokensOf(
    await notes.redeem(await signIn(visitor, await notes.authorize(visitor, request))),
  )
  const response = await notes.refresh(refresh_token, 'openid')
  expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_scope' }])
})

test('an unknown client or an invalid tenant cannot be approved', async () => {
  const { platform } = identity.app
  const notes = await application()
  await expect(approveClient(platform, 'app_nobody', 'acme')).rejects.toMatchObject({ kind: 'notFound' })
  await expect(approveClient(platform, "x' or '1", 'acme')).rejects.toMatchObject({ kind: 'notFound' })
  await expect(approveClient(platform, notes.id, '../*')).rejects.toMatchObject({ kind: 'invalid' })
})
