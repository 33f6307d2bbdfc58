import type { Client } from 'oidc-provider'

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
