import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { redirectUri } from '../app.ts'
import type { Browser, Page } from '../browser.ts'
import { type Context, hasCode, type TestUser } from './plan.ts'

export interface AuthorizationOptions {
  /** Added to the default parameters; undefined removes one. */
  readonly params?: Readonly<Record<string, string | undefined>>
  /** A browser with cookies of an earlier visit. */
  readonly visitor?: Browser
  readonly method?: 'GET' | 'POST'
  /** Reverses the parameters, whose order must not matter. */
  readonly reversed?: boolean
}

/** The pages between the client's request and the response. */
export interface Visit {
  readonly requestParams: URLSearchParams
  readonly visitor: Browser
  /** Pages with a prompt. */
  readonly shown: readonly Page[]
  readonly end: Page
}

/** Sends a browser to the authorization endpoint, signs in and gives consent, if prompted. */
export async function authorize(context: Context, options: AuthorizationOptions = {}): Promise<Visit> {
  const url = authorizationUrl(context, options)
  const visitor = options.visitor ?? context.identity.browser()
  const first =
    options.method === 'POST'
      ? await visitor.post(`${url.origin}${url.pathname}`, Object.fromEntries(url.searchParams))
      : await visitor.get(url)
  const shown: Page[] = []
  let page = await visitor.follow(first)
  while (hasPrompt(page) && shown.length < 5) {
    shown.push(page)
    page = await visitor.follow(await respond(visitor, page, context.person))
  }
  return { requestParams: url.searchParams, visitor, shown, end: page }
}

function authorizationUrl(
  { config, responseType, formPost }: Context,
  { params = {}, reversed }: AuthorizationOptions,
): URL {
  const defaults = {
    scope: 'openid',
    redirect_uri: redirectUri,
    response_type: responseType,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    ...(formPost && { response_mode: 'form_post' }),
  }
  const overrides = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const url = oidc.buildAuthorizationUrl(config, { ...defaults, ...Object.fromEntries(overrides) })
  for (const [name, value] of Object.entries(params)) if (value === undefined) url.searchParams.delete(name)
  if (reversed) url.search = new URLSearchParams([...url.searchParams].reverse()).toString()
  return url
}

export const isSignIn = ({ text }: Page) => text.includes('/sign-in"')
const hasPrompt = (page: Page) => !page.location && (isSignIn(page) || page.text.includes('/consent"'))

const respond = (visitor: Browser, page: Page, { email, password }: TestUser) =>
  isSignIn(page) ? visitor.submit(page, '/sign-in', { email, password }) : visitor.submit(page, '/consent')

export interface AuthorizationResponse {
  readonly params: URLSearchParams
  /** Input of openid-client. */
  readonly received: URL | Request
}

/** Reads the response from the query, the fragment, or a form, as required. */
export function responseOf(context: Context, { end }: Visit, asQuery = false): AuthorizationResponse {
  if (context.formPost) return postedResponse(end)
  expect(end.location, `${end.status} at ${end.url}: ${end.text}`).toBeDefined()
  const at = end.location as URL
  expect(end.status).toBe(302)
  expect(`${at.origin}${at.pathname}`).toBe(redirectUri)
  const inQuery = asQuery || context.responseType === 'code'
  if (inQuery) expect(at.hash).toBe('')
  else expect(at.search, 'the query must be empty').toBe('')
  return { params: inQuery ? at.searchParams : new URLSearchParams(at.hash.slice(1)), received: at }
}

function postedResponse(end: Page): AuthorizationResponse {
  expect(end.location).toBeUndefined()
  expect(end.headers.get('content-type')).toMatch(/^text\/html/)
  expect(end.text).toContain(`<form method="post" action="${redirectUri}">`)
  expect(end.text).toContain('document.forms[0].submit()')
  const inputs = end.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)
  const params = new URLSearchParams()
  for (const [, name = '', value = ''] of inputs) params.append(name, unescaped(value))
  return { params, received: new Request(redirectUri, { method: 'POST', body: params }) }
}

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" }
const unescaped = (text: string) => text.replaceAll(/&(#?\w+);/g, (all, name) => entities[name] ?? all)

/** The suite's checks of every successful response. */
export function successOf(context: Context, visit: Visit): AuthorizationResponse {
  const response = responseOf(context, visit)
  const { params } = response
  expect(Object.fromEntries(params)).not.toHaveProperty('error')
  expect(params.get('state')).toBe(visit.requestParams.get('state'))
  // Present also together with an ID token.
  expect(params.get('iss')).toBe(context.identity.issuer)
  if (hasCode(context.responseType)) expect(params.get('code')).toBeTruthy()
  return response
}

/** The suite's checks of every error response. Returns the error code. */
export function errorOf(context: Context, visit: Visit, asQuery = false): string {
  const { params } = responseOf(context, visit, asQuery)
  expect(params.get('state')).toBe(visit.requestParams.get('state'))
  expect(params.get('iss')).toBe(context.identity.issuer)
  expect(params.has('code')).toBe(false)
  const allowed = ['error', 'error_description', 'error_uri', 'state', 'session_state', 'iss']
  expect([...params.keys()].filter((name) => !allowed.includes(name))).toEqual([])
  expect(params.get('error_description') ?? '').toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
  return params.get('error') ?? 'no error'
}

/** Errors that must not be redirected to the client are shown on a page. */
export function expectErrorPage({ end }: Visit, about: RegExp): void {
  expect(end.location).toBeUndefined()
  expect(end.status).toBe(400)
  expect(end.headers.get('content-type')).toMatch(/^text\/html/)
  expect(end.text).toMatch(about)
}
