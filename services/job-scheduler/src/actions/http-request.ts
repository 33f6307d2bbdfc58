import type { OutboundRequest } from '@icosa/kernel'
import type { Authentication, HttpRequest } from './action.ts'
import { type Execution, executionHeaders } from './execution.ts'
import type { Outgoing } from './outgoing.ts'

/** As in the original. */
const timeoutMs = 60_000

/** `token` is the OAuth access token for this attempt. */
export function httpRequest(request: HttpRequest, execution: Execution, token?: string): Outgoing {
  const { uri: url, method, headers, body, authentication } = request
  const { headers: credentials, ...certificate } = credentialsOf(authentication, token)
  const payload = method === 'GET' || method === 'HEAD' ? undefined : body
  return {
    target: { url, method, ...certificate },
    message: { id: execution.id, headers: { ...headers, ...credentials, ...executionHeaders(execution) }, payload },
    timeoutMs,
  }
}

/** Credentials for the receiver. */
function credentialsOf(
  authentication?: Authentication,
  token?: string,
): Pick<OutboundRequest, 'headers' | 'clientCertificate'> {
  if (authentication === undefined) return {}
  if (authentication.type === 'ActiveDirectoryOAuth') return { headers: { authorization: `Bearer ${token}` } }
  const { password = '' } = authentication
  if (authentication.type === 'Basic') {
    const userAndPassword = Buffer.from(`${authentication.username}:${password}`)
    return { headers: { authorization: `Basic ${userAndPassword.toString('base64')}` } }
  }
  const pfx = Buffer.from(authentication.pfx ?? '', 'base64')
  return { clientCertificate: { pfx, passphrase: password } }
}
