import { createHash, randomBytes } from 'node:crypto'

/**
 * OpenID Connect Session Management: our frame tells a client's frame whether the user is still signed in, from a cookie,
 * without a request. The cookie is a hash that changes with the session, and reveals nothing.
 */
export const browserStateCookie = 'icosa_browser_state'

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

export const browserStateOf = (sessionUid: string, accountId: string) => hash(`${sessionUid} ${accountId}`)

/** Returned to a client after sign-in; assets/session.js recomputes it from the cookie. */
export function sessionState(clientId: string, redirectUri: string, browserState: string): string {
  const salt = randomBytes(12).toString('base64url')
  return `${hash(`${clientId} ${new URL(redirectUri).origin} ${browserState} ${salt}`)}.${salt}`
}
