import { createHmac } from 'node:crypto'

/**
 * The headers of Standard Webhooks (standardwebhooks.com), for which receivers find libraries: an HMAC over id, time and
 * body, so that nothing can be changed, and nothing sent again later.
 */
export function signatureHeaders(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}
