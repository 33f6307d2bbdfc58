import { Failure, type GuardedFetch } from '@icosa/kernel'
import type { OAuthAuthentication } from './action.ts'

interface FetchContext {
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
}

const timeoutMs = 10_000
const maxBytes = 65_536

/**
 * Fetches a token with an application's client credentials. Tokens are not cached, so none can be expired. The secret
 * is only sent to the operator's token endpoint, never after a redirect.
 */
export async function fetchToken(
  { tenant, clientId, audience, secret = '' }: OAuthAuthentication,
  tokenUrl: string,
  { fetch, signal }: FetchContext,
): Promise<string> {
  const { url, status, body } = await fetch(tokenUrl.replaceAll('{tenant}', encodeURIComponent(tenant)), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      scope: `${audience}/.default`,
    }).toString(),
    redirect: 'manual',
    signal,
    timeoutMs,
    maxBytes,
  })
  const { access_token: token, error } = fieldsOf(body)
  if (status === 200 && typeof token === 'string' && isHeaderText.test(token)) return token
  const reason = typeof error === 'string' && isHeaderText.test(error) ? ` ${error}` : ''
  const { host } = new URL(url)
  throw new Failure('unavailable', `${host} issued no token to the client '${clientId}': HTTP ${status}${reason}.`)
}

const isHeaderText = /^[!-~]+$/

function fieldsOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(body).toString()))
  } catch {
    return {}
  }
}
