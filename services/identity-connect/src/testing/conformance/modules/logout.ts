import { generateKeyPair, SignJWT } from 'jose'
import { expect } from 'vitest'
import type { Browser, Page } from '../../browser.ts'
import { authorize, errorOf } from '../authorize.ts'
import { nowSeconds } from '../claims.ts'
import { postLogoutRedirectUri } from '../context.ts'
import { type Outcome, signInAt } from '../flow.ts'
import { type Context, everywhere, type Module } from '../plan.ts'
import { logoutDiscovery } from './discovery.ts'

const state = 'x'.repeat(128)
type Params = Readonly<Record<string, string>>

export const logoutModules: readonly Module[] = [
  logoutDiscovery,
  logoutModule('oidcc-rp-initiated-logout', (params) => params, endsAtClient),
  logoutModule('oidcc-rp-initiated-logout-no-state', ({ state, ...rest }) => rest, endsAtClient),
  logoutModule('oidcc-rp-initiated-logout-no-params', () => ({}), endsOnPage),
  logoutModule('oidcc-rp-initiated-logout-only-state', ({ state = '' }) => ({ state }), endsOnPage),
  logoutModule(
    'oidcc-rp-initiated-logout-no-post-logout-redirect-uri',
    ({ post_logout_redirect_uri, ...rest }) => rest,
    endsOnPage,
  ),
  logoutModule('oidcc-rp-initiated-logout-no-id-token-hint', ({ id_token_hint, ...rest }) => rest, endsOnPage),
  logoutModule(
    'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
    (params) => ({ ...params, post_logout_redirect_uri: 'https://rp.example/elsewhere' }),
    isRejected(/post_logout_redirect_uri/),
  ),
  logoutModule(
    'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
    (params) => ({ ...params, post_logout_redirect_uri: `${postLogoutRedirectUri}?foo=bar` }),
    isRejected(/post_logout_redirect_uri/),
  ),
  logoutModule(
    'oidcc-rp-initiated-logout-modified-id-token-hint',
    (params) => ({ ...params, id_token_hint: unsigned(params.id_token_hint ?? '') }),
    isRejected(/id_token_hint/),
  ),
  logoutModule(
    'oidcc-rp-initiated-logout-bad-id-token-hint',
    async (params, context) => ({ ...params, id_token_hint: await forged(context) }),
    isRejected(/id_token_hint/),
  ),
]

type Ending = (context: Context, visitor: Browser, page: Page, sent: Params) => Promise<void>

function logoutModule(
  name: string,
  change: (params: Params, context: Context) => Params | Promise<Params>,
  ends: Ending,
): Module {
  return {
    name,
    appliesTo: everywhere,
    async run(context) {
      const { visitor, idToken } = await signInAt(context)
      const sent = await change(defaultParams(idToken.raw), context)
      await ends(context, visitor, await visitor.open(endSessionUrl(context, sent)), sent)
      return undefined
    },
  }
}

const defaultParams = (hint: string): Params => ({
  id_token_hint: hint,
  post_logout_redirect_uri: postLogoutRedirectUri,
  state,
})

function endSessionUrl({ config }: Context, params: Params): URL {
  const url = new URL(config.serverMetadata().end_session_endpoint ?? '')
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}

/** Confirms the sign-out prompt. */
const confirm = async (visitor: Browser, page: Page) =>
  visitor.follow(await visitor.submit(page, '/session/end/confirm', { logout: 'yes' }))

async function endsAtClient(context: Context, visitor: Browser, page: Page, sent: Params): Promise<void> {
  const { location } = await confirm(visitor, page)
  expect(`${location?.origin}${location?.pathname}`).toBe(postLogoutRedirectUri)
  const parameters = Object.fromEntries(location?.searchParams ?? [])
  expect(parameters).toEqual(sent.state === undefined ? {} : { state: sent.state })
  await expectSignedOut(context, visitor)
}

async function endsOnPage(context: Context, visitor: Browser, page: Page): Promise<void> {
  const end = await confirm(visitor, page)
  expect(end.location).toBeUndefined()
  expect(end.status).toBe(200)
  expect(end.text).toContain('You are signed out')
  await expectSignedOut(context, visitor)
}

function isRejected(about: RegExp): Ending {
  return async (context, visitor, page) => {
    expect(page.location).toBeUndefined()
    expect(page.status).toBe(400)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.text).toMatch(about)
    await signInAt(context, { visitor, params: { prompt: 'none' } }) // still signed in
  }
}

export async function expectSignedOut(context: Context, visitor: Browser): Promise<void> {
  const visit = await authorize(context, { visitor, params: { prompt: 'none' } })
  expect(errorOf(context, visit)).toBe('login_required')
}

/** RP-initiated logout. Returns the redirect. */
export async function signOut(context: Context, { visitor, idToken }: Outcome): Promise<URL | undefined> {
  const page = await visitor.open(endSessionUrl(context, defaultParams(idToken.raw)))
  const { location } = await confirm(visitor, page)
  expect(location?.href).toBe(`${postLogoutRedirectUri}?state=${state}`)
  return location
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}

/** Valid except for its signature. */
async function forged({ identity, client, person }: Context): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256')
  const now = Math.floor(nowSeconds())
  return new SignJWT({ nonce: 'n' })
    .setProtectedHeader({ alg: 'RS256', kid: 'forged' })
    .setIssuer(identity.issuer)
    .setAudience(client.client_id)
    .setSubject(person.sub)
    .setIssuedAt(now)
    .setExpirationTime(now + 300)
    .sign(privateKey)
}
