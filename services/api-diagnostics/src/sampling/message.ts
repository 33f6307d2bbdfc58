import type { ObservedMessage } from '@icosa/kernel'
import type { MessageSettings } from '../diagnostics/contract.ts'
import { type ByteBudget, writtenBytes } from './byte-budget.ts'

/** What is logged of a request or a response. */
export interface LoggedMessage {
  readonly headers?: Readonly<Record<string, string>>
  /** The first bytes: text as it is, anything else as base64. */
  readonly body?: string
  /** How long the body was, of which `body` may be the beginning. */
  readonly bodyBytes?: number
}

/** So many headers of a message, and so many bytes of each. */
const maxHeaders = 32
const headerBytes = 1_024
/** What a message takes beside its texts: names, braces and the length of its body. */
const frameBytes = 90

export function loggedMessage(settings: MessageSettings, message: ObservedMessage, budget: ByteBudget) {
  const { headers: requested = [], body: { bytes = 0 } = {} } = settings
  const isAsked = requested.length > 0 || bytes > 0
  if (!isAsked || !budget.has(frameBytes)) return undefined // before any work: of ten diagnostics the first may take all
  const entries = headersOf(settings, message)
  const text = bodyOf(message, bytes)
  if (entries.length === 0 && text === undefined) return undefined
  budget.take(frameBytes)
  const headers = Object.fromEntries(
    entries.flatMap(([name, value]) =>
      budget.take(writtenBytes(name) + 6) ? [[name, budget.clip(value, headerBytes)]] : [],
    ),
  )
  const logged: LoggedMessage = {
    ...(entries.length > 0 && { headers }),
    ...(text && { body: text.isText ? budget.clip(text.content) : wholeBase64(budget.clip(text.content)) }),
    ...(text && { bodyBytes: Buffer.byteLength(message.body ?? '') }),
  }
  return logged
}

function headersOf({ headers = [], dataMasking }: MessageSettings, message: ObservedMessage) {
  const masks = new Map(dataMasking?.headers?.map(({ value, mode }) => [value.toLowerCase(), mode]))
  return [...new Set(headers.map((name) => name.toLowerCase()))]
    .flatMap((name) => {
      const value = message.headers[name]
      const mask = masks.get(name)
      if (value === undefined || mask === 'Hide') return []
      return [[name, mask === 'Mask' || isSecret(name) ? '***' : String(value)] as const]
    })
    .slice(0, maxHeaders)
}

/** Headers that carry credentials are never written out, whoever asks for them. */
const isSecret = (header: string) => /authorization|cookie|key|secret|token|password|signature|assertion/.test(header)

function bodyOf({ headers, body }: ObservedMessage, bytes: number) {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  // Forms carry passwords and client secrets.
  if (bytes === 0 || !body || body.length === 0 || /form-urlencoded|multipart/.test(type)) return undefined
  // A character has at least one byte, so the rest of a long text need not be encoded.
  const part = typeof body === 'string' ? Buffer.from(body.slice(0, bytes)).subarray(0, bytes) : body.subarray(0, bytes)
  const isText = typeof body === 'string' || /json|text|xml|javascript/.test(type)
  return { isText, content: isText ? textOf(part) : Buffer.from(part).toString('base64') }
}

/** Four characters stand for three bytes; fewer at the end of what was cut off stand for nothing. */
const wholeBase64 = (text: string) => text.slice(0, text.length - (text.length % 4))

/** As a stream, so that a character that the limit cuts in two is left out. */
const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
