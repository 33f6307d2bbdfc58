import { type Client, interactionPolicy } from 'oidc-provider'
import { isLoopback } from './metadata.ts'

/** Where a client in test mode may send people although nobody registered it: anywhere on the web. */
export function isTestRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return url.hash === '' && url.username === '' && url.password === ''
}

/** The host to which a client sends somebody by test mode alone; undefined if the address is registered. */
export function testHost(client: Client, redirectUri: unknown): string | undefined {
  if (client.test_mode !== true || typeof redirectUri !== 'string' || client.redirectUris?.includes(redirectUri))
    return undefined
  return URL.parse(redirectUri)?.host
}

/**
 * Anybody could make a link that sends a person from here to an address of their own, so the person is asked every time, on
 * a page that says where they go. On their own machine nobody else is at the other end.
 */
export function testModeCheck() {
  const { Check } = interactionPolicy
  return new Check('test_mode', 'the client is in test mode', 'consent_required', (ctx) => {
    const { client, params, result } = ctx.oidc
    const address = params?.redirect_uri
    if (!client || result?.consent || testHost(client, address) === undefined) return Check.NO_NEED_TO_PROMPT
    return isLoopback(String(address)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
  })
}
