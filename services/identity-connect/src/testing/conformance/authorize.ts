import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { redirectUri } from '../app.ts'
import type { Browser, Page } from '../browser.ts'
import { type Context, hasCode, type Somebody } from './plan.ts'

export interface Ask {
  /** Beside those of every request; undefined takes one of them away. */
  readonly params?: Readonly<Record<string, string | undefined>>
  /** Somebody who has been here before, with their cookies. */
  readonly visitor?: Browser
  readonly method?: 'GET' | 'POST'
  /** The order of the parameters should not matter. */
  readonly reversed?: boolean
}

/** What somebody saw between the client's request and its answer. */
export interface Visit {
  readonly asked: URLSearchParams
  readonly visitor: Browser
  /** The pages on which they had to do something. */
  readonly shown: readonly Page[]
  readonly end: Page
}

/** Sends a browser to the authorization endpoint, signs in and allows everything, as far as that is asked. */
export async function authorize(context: Context, ask: Ask = {}): Promise<Visit> {
  const url = authorizationUrl(context, ask)
  const visitor = ask.visitor ?? context.identity.browser()
  const first =
    ask.method === 'POST'
      ? await visitor.post(`${url.origin}${url.pathname}`, Object.fromEntries(url.searchParams))
      : await visitor.get(url)
  const shown: Page[] = []
  let page = await visitor.follow(first)
  while (asksSomething(page) && shown.length < 5) {
    shown.push(page)
    page = await visitor.follow(await answer(visitor, page, context.person))
  }
  return { asked: url.searchParams, visitor, shown, end: page }
}

function authorizationUrl({ config, responseType, formPost }: Context, { params = {}, reversed }: Ask): URL {
  const usual = {
    scope: 'openid',
    redirect_uri: redirectUri,
    response_type: responseType,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    ...(formPost && { response_mode: 'form_post' }),
  }
  const more = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const url = oidc.buildAuthorizationUrl(config, { ...usual, ...Object.fromEntries(more) })
  for (const [name, value] of Object.entries(params)) if (value === undefined) url.searchParams.delete(name)
  if (reversed) url.search = new URLSearchParams([...url.searchParams].reverse()).toString()
  return url
}

export const isSignIn = ({ text }: Page) => text.includes('/sign-in"')
const asksSomething = (page: Page) => !page.location && (isSignIn(page) || page.text.includes('/consent"'))

const answer = (visitor: Browser, page: Page, { email, password }: Somebody) =>
  isSignIn(page) ? visitor.submit(page, '/sign-in', { email, password }) : visitor.submit(page, '/consent')

/** The authorization response as the client gets it. */
export interface Answer {
  readonly params: URLSearchParams
  /** As openid-client takes it. */
  readonly received: URL | Request
}

/** Reads the answer from where it must be: query, fragment, or a form that the browser sends on. */
export function answerOf(context: Context, { end }: Visit, asQuery = false): Answer {
  if (context.formPost) return postedAnswer(end)
  expect(end.location, `${end.status} at ${end.url}: ${end.text}`).toBeDefined()
  const at = end.location as URL
  expect(end.status).toBe(302)
  expect(`${at.origin}${at.pathname}`).toBe(redirectUri)
  const inQuery = asQuery || context.responseType === 'code'
  if (inQuery) expect(at.hash).toBe('')
  else expect(at.search, 'nothing of the answer may be in the query').toBe('')
  return { params: inQuery ? at.searchParams : new URLSearchParams(at.hash.slice(1)), received: at }
}

function postedAnswer(end: Page): Answer {
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

/** What the suite looks for in every successful answer. */
export function successOf(context: Context, visit: Visit): Answer {
  const found = answerOf(context, visit)
  const { params } = found
  expect(Object.fromEntries(params)).not.toHaveProperty('error')
  expect(params.get('state')).toBe(visit.asked.get('state'))
  // An ID token names the issuer itself, so beside one it is left out.
  expect(params.get('iss')).toBe(context.identity.issuer)
  if (hasCode(context.responseType)) expect(params.get('code')).toBeTruthy()
  return found
}

/** What the suite looks for in every answer that is an error; answers its code. */
export function errorOf(context: Context, visit: Visit, asQuery = false): string {
  const { params } = answerOf(context, visit, asQuery)
  expect(params.get('state')).toBe(visit.asked.get('state'))
  expect(params.get('iss')).toBe(context.identity.issuer)
  expect(params.has('code')).toBe(false)
  const known = ['error', 'error_description', 'error_uri', 'state', 'session_state', 'iss']
  expect([...params.keys()].filter((name) => !known.includes(name))).toEqual([])
  expect(params.get('error_description') ?? '').toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
  return params.get('error') ?? 'no error'
}

/** An error that the client must not learn of by redirection is told to the person, on a page. */
export function expectErrorPage({ end }: Visit, about: RegExp): void {
  expect(end.location).toBeUndefined()
  expect(end.status).toBe(400)
  expect(end.headers.get('content-type')).toMatch(/^text\/html/)
  expect(end.text).toMatch(about)
}
