import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityApp, redirectUri, startIdentity } from '../testing/app.ts'
import type { Browser } from '../testing/browser.ts'
import { authorize, errorOf, expectErrorPage, isSignIn, type Visit } from '../testing/conformance/authorize.ts'
import { newContext, newPerson } from '../testing/conformance/context.ts'
import { signInAt } from '../testing/conformance/flow.ts'
import type { Context, TestUser } from '../testing/conformance/plan.ts'

/** Parts of the specification beyond OpenID Connect. */
let identity: IdentityApp
let person: TestUser
let context: Context

beforeAll(async () => {
  identity = await startIdentity({ trustedProxies: 1 })
  person = await newPerson(identity)
  context = await newContext(identity, person)
})
afterAll(() => identity[Symbol.asyncDispose]())

const fragmentOf = ({ end }: Visit) => Object.fromEntries(new URLSearchParams(end.location?.hash.slice(1)))
const queryOf = ({ end }: Visit) => Object.fromEntries(end.location?.searchParams ?? [])

describe('response types', () => {
  test('token alone returns an access token in the fragment, and no ID token', async () => {
    const params = { response_type: 'token', scope: 'openid email', nonce: undefined, state: 'st' }
    const visit = await authorize(context, { params })
    const parameters = fragmentOf(visit)
    expect(parameters).toMatchObject({ token_type: 'Bearer', expires_in: '3600', state: 'st', iss: identity.issuer })
    expect(parameters).not.toHaveProperty('id_token')
    expect(parameters).not.toHaveProperty('code')
    expect(visit.end.location?.search).toBe('')
    const userInfo = await oidc.fetchUserInfo(context.config, parameters.access_token ?? '', person.sub)
    expect(userInfo.email).toBe(person.email)
  })

  test.each(['token id_token', 'code token id_token', 'id_token code token', 'token code'])(
    "'%s' is accepted in any word order",
    async (response_type) => {
      const parameters = fragmentOf(await authorize(context, { params: { response_type } }))
      const names = { code: 'code', token: 'access_token', id_token: 'id_token' }
      for (const [word, name] of Object.entries(names))
        expect(Object.hasOwn(parameters, name), name).toBe(response_type.split(' ').includes(word))
    },
  )

  test('a client gets only what it is registered for', async () => {
    const restricted = await context.withClient({ response_types: ['code'] })
    const visit = await authorize(restricted, { params: { response_type: 'token' } })
    expect(visit.shown).toEqual([])
    const error_description = 'requested response_type is not allowed for this client'
    expect(fragmentOf(visit)).toMatchObject({ error: 'unauthorized_client', error_description })
    await signInAt(restricted)
  })

  test('a code may come in the fragment, but a token never in the query', async () => {
    const inFragment = await authorize(context, { params: { response_mode: 'fragment' } })
    expect(fragmentOf(inFragment)).toHaveProperty('code')
    const inQuery = await authorize(context, { params: { response_type: 'token', response_mode: 'query' } })
    expect(inQuery.shown).toEqual([])
    expect(queryOf(inQuery)).toMatchObject({ error: 'invalid_request' })
    expect(inQuery.end.location?.href).not.toContain('access_token')
  })
})

describe('display', () => {
  const policiesOf = ({ shown }: Visit) => shown.map(({ headers }) => headers.get('content-security-policy') ?? '')

  test.each(['page', 'popup', 'modal', 'window', 'touch', undefined])(
    'pages with prompts cannot be framed, with display %s',
    async (display) => {
      const visit = await authorize(context, { params: { display, prompt: 'consent' } })
      expect(visit.shown.length).toBe(2)
      for (const policy of policiesOf(visit)) expect(policy).toMatch(/frame-ancestors 'none'/)
      for (const { headers } of visit.shown) expect(headers.get('x-frame-options')).toBe('DENY')
    },
  )

  test('an unknown display is rejected', async () => {
    const visit = await authorize(context, { params: { display: 'zzz' } })
    expect([visit.shown, queryOf(visit)]).toMatchObject([[], { error: 'invalid_request' }])
    expect(queryOf(visit)?.error_description).toContain('display')
  })

  const framed = (visitor: Browser, address: string | URL) => visitor.get(address, { 'sec-fetch-dest': 'iframe' })
  const requestOf = (display: string) =>
    oidc.buildAuthorizationUrl(context.config, {
      redirect_uri: redirectUri,
      scope: 'openid phone',
      state: 'st',
      display,
    })

  test('a modal frame opens a window, which returns the outcome to the frame', async () => {
    const visitor = identity.browser()
    const page = await framed(visitor, (await framed(visitor, requestOf('modal'))).location ?? '')
    const policy = page.headers.get('content-security-policy')
    expect(policy, 'only pages of the client').toMatch(/frame-ancestors https:\/\/rp\.example(;|$)/)
    expect(page.headers.has('x-frame-options')).toBe(false)
    expect(page.text).toContain('data-display="modal"')
    expect(page.text, 'no prompt in the frame').not.toMatch(/<(form|input|button)\b/)

    // The window has its own cookies: a browser may keep none in frames.
    const [, address = ''] = /<a class="button" href="([^"]*)"/.exec(page.text) ?? []
    const window = identity.browser()
    let at = await window.open(address.replaceAll('&amp;', '&'))
    expect(at.text).toContain('data-display="popup"')
    at = await window.follow(await window.submit(at, '/sign-in', { email: person.email, password: person.password }))
    at = await window.follow(await window.submit(at, '/consent'))
    expect([at.status, at.location]).toEqual([200, undefined])
    const [, outcome = ''] = /href="([^"]*)" id="outcome"/.exec(at.text) ?? []
    const { searchParams } = new URL(outcome.replaceAll('&amp;', '&'))
    expect(searchParams.get('state')).toBe('st')
    const code = searchParams.get('code') ?? ''
    const grant = { code, redirect_uri: redirectUri }
    const tokens = await oidc.genericGrantRequest(context.config, 'authorization_code', grant)
    expect(tokens.claims()?.sub).toBe(person.sub)
    expect(at.headers.get('x-frame-options')).toBe('DENY')
  })

  test('a modal completes in its frame if no prompt is needed', async () => {
    const { visitor } = await authorize(context)
    const end = await framed(visitor, requestOf('modal').href.replace('+phone', ''))
    expect([end.status, end.location?.searchParams.has('code')]).toEqual([302, true])
  })

  test('only a modal may be framed, whatever headers are sent', async () => {
    const visitor = identity.browser()
    for (const display of ['page', 'popup', 'window']) {
      const page = await framed(visitor, (await framed(visitor, requestOf(display))).location ?? '')
      expect(isSignIn(page)).toBe(true)
      expect(page.headers.get('x-frame-options')).toBe('DENY')
    }
    const unknown = await framed(visitor, `${identity.issuer}/interaction/nobody`)
    expect([unknown.status, unknown.headers.get('x-frame-options')]).toEqual([400, 'DENY'])
  })

  test('errors of a modal cannot be framed', async () => {
    const visit = await authorize(context, { params: { display: 'modal', redirect_uri: 'https://evil.example/cb' } })
    expectErrorPage(visit, /redirect_uri/)
    expect(visit.end.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
  })
})

describe('test mode', () => {
  const local = 'http://localhost:3000/callback'

  test('is off by default', async () => {
    expectErrorPage(await authorize(context, { params: { redirect_uri: local } }), /redirect_uri/)
    const off = await context.withClient({ test_mode: false })
    expectErrorPage(await authorize(off, { params: { redirect_uri: local } }), /redirect_uri/)
  })

  test.each([local, 'http://127.0.0.1:8080/', 'http://[::1]:5173/cb?here=1'])(
    '%s needs no registration',
    async (uri) => {
      const testing = await context.withClient({ test_mode: true })
      const visit = await authorize(testing, { params: { redirect_uri: uri } })
      expect(visit.end.location?.href.startsWith(uri)).toBe(true)
      const code = queryOf(visit).code ?? ''
      const tokens = await oidc.genericGrantRequest(testing.config, 'authorization_code', { code, redirect_uri: uri })
      expect(tokens.claims()?.sub).toBe(person.sub)
    },
  )

  test.each([
    'http://localhost@evil.example/cb',
    'http://user:secret@localhost/cb',
    'http://localhost:3000/cb#fragment',
    'com.example.app:/cb',
    'javascript:alert(1)//localhost',
  ])('%s is rejected even in test mode', async (redirect_uri) => {
    const testing = await context.withClient({ test_mode: true })
    const visit = await authorize(testing, { params: { redirect_uri } })
    expect(visit.shown).toEqual([])
    expectErrorPage(visit, /redirect_uri/)
  })

  test('a client in test mode fails oidcc-ensure-registered-redirect-uri, and registered URIs still work', async () => {
    const testing = await context.withClient({ test_mode: true })
    await signInAt(testing)
    const { end } = await authorize(testing, { params: { redirect_uri: local } })
    expect(end.location?.origin).toBe('http://localhost:3000')
  })
})

describe('POST to /authorize', () => {
  test('leads to the sign-in page, from any site', async () => {
    const { client_id } = context.client
    const form = { client_id, response_type: 'code', scope: 'openid', redirect_uri: redirectUri, state: 'st' }
    const response = await fetch(`${identity.issuer}/authorize`, {
      method: 'POST',
      headers: { origin: 'https://rp.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(/^\/identity-connect\/interaction\//)
  })

  test('completes like GET for a signed-in user', async () => {
    const { visitor } = await signInAt(context)
    const second = await signInAt(context, { visitor, method: 'POST' })
    expect(second.shown).toEqual([])
  })

  test('is rejected like GET', async () => {
    const refused = await authorize(context, { method: 'POST', params: { redirect_uri: 'https://evil.example/cb' } })
    expectErrorPage(refused, /redirect_uri/)
    const silent = await authorize(context, { method: 'POST', params: { prompt: 'none' } })
    expect(errorOf(context, silent)).toBe('login_required')
  })

  test.each(['GET', 'POST'] as const)("uses the client's default scopes if %s has none", async (method) => {
    const withDefaults = await context.withClient({ default_scopes: ['openid', 'email'] })
    const visit = await authorize(withDefaults, { method, params: { scope: undefined } })
    expect(visit.shown.some(isSignIn)).toBe(true)
    const { code = '' } = queryOf(visit)
    const tokens = await oidc.genericGrantRequest(withDefaults.config, 'authorization_code', {
      code,
      redirect_uri: redirectUri,
    })
    expect(tokens.scope?.split(' ').sort()).toEqual(['email', 'openid'])
  })
})

test('a sign-in through a proxy stays at the public URL', async () => {
  const outside = 'https://id.example.org'
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'id.example.org', origin: outside }
  const { client_id } = context.client
  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri,
    state: 'st',
  })
  const start = await fetch(`${identity.issuer}/authorize?${query}`, { headers, redirect: 'manual' })
  const step = new URL(start.headers.get('location') ?? '', outside)
  expect(step.origin).toBe(outside)

  const cookie = start.headers.getSetCookie().map((line) => line.split(';')[0])
  const { email, password } = person
  const signedIn = await fetch(`${identity.app.url}${step.pathname}/sign-in`, {
    method: 'POST',
    headers: { ...headers, cookie: cookie.join('; ') },
    body: new URLSearchParams({ email, password }),
    redirect: 'manual',
  })
  expect(signedIn.status).toBe(303)
  expect(new URL(signedIn.headers.get('location') ?? '', outside).origin).toBe(outside)
})
