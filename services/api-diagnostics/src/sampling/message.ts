import type { ObservedMessage } from '@icosa/kernel'
import type { MessageSettings } from '../diagnostics/contract.ts'
import { type ByteBudget, writtenBytes } from './byte-budget.ts'

export interface LoggedMessage {
  readonly headers?: Readonly<Record<string, string>>
  /** The first bytes, base64 unless text. */
  readonly body?: string
  /** Size of the complete body. */
  readonly bodyBytes?: number
}

const maxHeaders = 32
const maxHeaderBytes = 1_024
/** Names, braces and the size of the body. */
const frameBytes = 90

export function loggedMessage(settings: MessageSettings, message: ObservedMessage, budget: ByteBudget) {
  const { headers: requested = [], body: { bytes = 0 } = {} } = settings
  const isRequested = requested.length > 0 || bytes > 0
  if (!isRequested || !budget.has(frameBytes)) return undefined // before any work: earlier diagnostics may have spent the budget
  const entries = headersOf(settings, message)
  const text = bodyOf(message, bytes)
  if (entries.length === 0 && text === undefined) return undefined
  budget.take(frameBytes)
  const headers = Object.fromEntries(
    entries.flatMap(([name, value]) =>
      budget.take(writtenBytes(name) + 6) ? [[name, budget.clip(value, maxHeaderBytes)]] : [],
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

const isSecret = (header: string) => /authorization|cookie|key|secret|token|password|signature|assertion/.test(header)

function bodyOf({ headers, body }: ObservedMessage, bytes: number) {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  // Forms carry passwords and client secrets.
  if (bytes === 0 || !body || body.length === 0 || /form-urlencoded|multipart/.test(type)) return undefined
  // A character has at least one byte, so the end of a long text need not be encoded.
  const part = typeof body === 'string' ? Buffer.from(body.slice(0, bytes)).subarray(0, bytes) : body.subarray(0, bytes)
  const isText = typeof body === 'string' || /json|text|xml|javascript/.test(type)
  return { isText, content: isText ? textOf(part) : Buffer.from(part).toString('base64') }
}

/** Drops an incomplete group of four characters at the end. */
const wholeBase64 = (text: string) => text.slice(0, text.length - (text.length % 4))

/** Decodes as a stream, which drops an incomplete character at the end. */
const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })
