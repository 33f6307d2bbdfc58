import type { Client } from 'oidc-provider'

/** Whether a client in test mode may redirect to an unregistered URI: any http or https URL. */
export function isTestRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return url.hash === '' && url.username === '' && url.password === ''
}

/** The host of an unregistered redirect URI that test mode allows; undefined if it is registered. */
export function testHost(client: Client, redirectUri: unknown): string | undefined {
  if (client.test_mode !== true || typeof redirectUri !== 'string' || client.redirectUris?.includes(redirectUri))
    return undefined
  return URL.parse(redirectUri)?.host
}
