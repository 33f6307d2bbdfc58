import { createHash, randomBytes } from 'node:crypto'

/**
 * OpenID Connect Session Management: a client's frame asks ours whether the person is still signed in, and ours
 * answers from a cookie, without a request. The cookie says nothing by itself: it is a hash that changes with the session.
 */
export const browserStateCookie = 'icosa_browser_state'

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export const browserStateOf = (sessionUid: string, accountId: string) => hash(`${sessionUid} ${accountId}`)

/** What a client gets with the outcome of a sign-in; assets/session.js works it out again from the cookie. */
export function sessionState(clientId: string, redirectUri: string, browserState: string): string {
  const salt = randomBytes(12).toString('base64url')
  return `${hash(`${clientId} ${new URL(redirectUri).origin} ${browserState} ${salt}`)}.${salt}`
}
