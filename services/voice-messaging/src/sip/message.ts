/** A header with its full name in lower case. */
export type Header = readonly [name: string, value: string]

interface Common {
  readonly headers: readonly Header[]
  readonly body: string
  readonly callId: string
  readonly sequence: number
  /** Method of the request, also in responses. */
  readonly method: string
  readonly branch: string
  readonly fromTag: string
  readonly toTag: string | undefined
}

export interface SipRequest extends Common {
  readonly uri: string
}

export interface SipResponse extends Common {
  readonly status: number
  readonly reason: string
}

const compact: Readonly<Record<string, string>> = {
  c: 'content-type',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  t: 'to',
  v: 'via',
}

/** Well above any valid message. */
const maxPacketLength = 16_384
const maxLineLength = 2_000

/** Parses a packet. Undefined if it is malformed; such packets are ignored. */
export function readMessage(packet: Buffer): SipRequest | SipResponse | undefined {
  if (packet.length > maxPacketLength) return undefined
  const { head, body } = split(packet)
  const [start = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.map(readHeader)
  if (!headers.every((header) => header !== undefined)) return undefined
  const common = commonOf(headers, body)
  if (!common) return undefined
  const statusLine = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/.exec(start)
  if (statusLine) return { ...common, status: Number(statusLine[1]), reason: statusLine[2] ?? '' }
  const [, method, uri] = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(start) ?? []
  return uri !== undefined && method === common.method ? { ...common, uri } : undefined
}

export const isResponse = (message: SipRequest | SipResponse): message is SipResponse => 'status' in message

function split(packet: Buffer): { readonly head: string; readonly body: string } {
  const text = packet.toString('utf8')
  const gap = /\r?\n\r?\n/.exec(text)
  if (!gap) return { head: text.trimEnd(), body: '' }
  return { head: text.slice(0, gap.index), body: text.slice(gap.index + gap[0].length) }
}

function readHeader(line: string): Header | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
  if (!/^[\w.!%*+`'~-]+$/.test(name) || line.length > maxLineLength) return undefined
  return [Object.hasOwn(compact, name) ? (compact[name] ?? name) : name, line.slice(colon + 1).trim()]
}

/** Parses the headers that every message must have. */
function commonOf(headers: readonly Header[], body: string): Common | undefined {
  const via = headersOf({ headers }, 'via')[0]
  const [from, to, callId] = ['from', 'to', 'call-id'].map((name) => headerOf({ headers }, name))
  const [, sequence, method] = /^(\d{1,10})[ \t]+([A-Z]+)$/.exec(headerOf({ headers }, 'cseq') ?? '') ?? []
  const branch = parameterOf(via, 'branch')
  const fromTag = parameterOf(from, 'tag')
  if (!to || !callId || method === undefined || branch === undefined || fromTag === undefined) return undefined
  return { headers, body, callId, sequence: Number(sequence), method, branch, fromTag, toTag: parameterOf(to, 'tag') }
}

type WithHeaders = Pick<Common, 'headers'>

export function headerOf({ headers }: WithHeaders, name: string): string | undefined {
  return headers.find(([header]) => header === name)?.[1]
}

/** Returns all values of a header, from one line or several. */
export function headersOf({ headers }: WithHeaders, name: string): string[] {
  return headers.filter(([header]) => header === name).flatMap(([, value]) => splitList(value))
}

/** Splits at commas outside of quotes and angle brackets. */
function splitList(value: string): string[] {
  const parts = value.match(/(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,"<])+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Returns a header parameter, which is outside of angle brackets. */
function parameterOf(value: string | undefined, name: string): string | undefined {
  const outside = value?.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/<[^<>]*>/g, '') ?? ''
  return new RegExp(`;[ \\t]*${name}[ \\t]*=[ \\t]*([^;,\\s]+)`, 'i').exec(outside)?.[1]
}

/** Extracts the address of a value such as `"Bob" <sip:bob@example.com>;tag=1`. */
export function addressIn(value: string): string {
  return /<([^<>]*)>/.exec(value)?.[1] ?? value.replace(/;.*$/, '').trim()
}

export interface SipUri {
  readonly host: string
  readonly port: number
  readonly parameters: string
}

const defaultPort = 5060

export function readUri(text: string): SipUri | undefined {
  const match = /^sips?:(?:[^@<>\s]*@)?([A-Za-z0-9.-]+)(?::(\d{1,5}))?((?:;[^?\s]*)?)(?:\?\S*)?$/i.exec(text)
  const port = Number(match?.[2] ?? defaultPort)
  return match?.[1] && port <= 65_535 ? { host: match[1], port, parameters: match[3] ?? '' } : undefined
}

export function writeMessage(start: string, headers: readonly Header[], body = ''): Buffer {
  const all: Header[] = [...headers, ['Content-Length', String(Buffer.byteLength(body))]]
  return Buffer.from(`${start}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}
