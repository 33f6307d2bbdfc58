import { createHmac } from 'node:crypto'

/**
 * Headers of Standard Webhooks (standardwebhooks.com), for which receivers find libraries: an HMAC over ID, time and
 * body protects against tampering and replay.
 */
export function signatureHeaders(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}
