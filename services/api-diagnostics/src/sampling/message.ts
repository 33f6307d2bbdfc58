import type { ObservedMessage } from '@icosa/kernel'
import type { MessageSettings } from '../diagnostics/contract.ts'

/** What is logged of a request or a response. */
export interface LoggedMessage {
  readonly headers?: Readonly<Record<string, string>>
  /** The first bytes: text as it is, anything else as base64. */
  readonly body?: string
  /** How long the body was, of which `body` may be the beginning. */
  readonly bodyBytes?: number
}

export function loggedMessage({ headers = [], body, dataMasking }: MessageSettings, message: ObservedMessage) {
  const masks = new Map(dataMasking?.headers?.map(({ value, mode }) => [value.toLowerCase(), mode]))
  const entries = [...new Set(headers.map((name) => name.toLowerCase()))].flatMap((name) => {
    const value = message.headers[name]
    const mask = masks.get(name)
    if (value === undefined || mask === 'Hide') return []
    return [[name, mask === 'Mask' || isSecret(name) ? '***' : String(value)] as const]
  })
  const logged: LoggedMessage = {
    ...(entries.length > 0 && { headers: Object.fromEntries(entries) }),
    ...loggedBody(message, body?.bytes ?? 0),
  }
  return Object.keys(logged).length === 0 ? undefined : logged
}

/** Headers that carry credentials are never written out, whoever asks for them. */
const isSecret = (header: string) => /authorization|cookie|key|secret|token|password|signature|assertion/.test(header)

function loggedBody({ headers, body }: ObservedMessage, bytes: number): LoggedMessage {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  // Forms carry passwords and client secrets.
  if (bytes === 0 || !body || body.length === 0 || /form-urlencoded|multipart/.test(type)) return {}
  // A character has at least one byte, so the rest of a long text need not be encoded.
  const part = typeof body === 'string' ? Buffer.from(body.slice(0, bytes)).subarray(0, bytes) : body.subarray(0, bytes)
  const isText = typeof body === 'string' || /json|text|xml|javascript/.test(type)
  return { body: isText ? textOf(part) : Buffer.from(part).toString('base64'), bodyBytes: Buffer.byteLength(body) }
}

/** As a stream, so that a character that the limit cuts in two is left out. */
const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
