import type { OutboundRequest } from '@icosa/kernel'
import type { Authentication, HttpRequest } from './action.ts'
import { type Execution, executionHeaders } from './execution.ts'
import type { Outgoing } from './outgoing.ts'

/** Original clients waited as long for an answer. */
const timeoutMs = 60_000

/** `token` is what an authentication by OAuth got for this attempt. */
export function httpRequest(request: HttpRequest, execution: Execution, token?: string): Outgoing {
  const { uri: url, method, headers, body, authentication } = request
  const { headers: proof, ...shown } = proofOf(authentication, token)
  const payload = method === 'GET' || method === 'HEAD' ? undefined : body
  return {
    target: { url, method, ...shown },
    message: { id: execution.id, headers: { ...headers, ...proof, ...executionHeaders(execution) }, payload },
    timeoutMs,
  }
}

/** By which the receiver knows who sends. */
function proofOf(
  authentication?: Authentication,
  token?: string,
): Pick<OutboundRequest, 'headers' | 'clientCertificate'> {
  if (authentication === undefined) return {}
  if (authentication.type === 'ActiveDirectoryOAuth') return { headers: { authorization: `Bearer ${token}` } }
  const { password = '' } = authentication
  if (authentication.type === 'Basic') {
    const both = Buffer.from(`${authentication.username}:${password}`)
    return { headers: { authorization: `Basic ${both.toString('base64')}` } }
  }
  const pfx = Buffer.from(authentication.pfx ?? '', 'base64')
  return { clientCertificate: { pfx, passphrase: password } }
}
