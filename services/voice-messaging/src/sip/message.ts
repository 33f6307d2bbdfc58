/** A header as it stands in a message, its name in lower case and in full. */
export type Header = readonly [name: string, value: string]

interface Common {
  readonly headers: readonly Header[]
  readonly body: string
  readonly callId: string
  readonly sequence: number
  /** Of the request, also in a response to it. */
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

/** More than any honest message has. */
const maxPacketLength = 16_384
const maxLineLength = 2_000

/** Reads a packet. Undefined if it is no message that we could answer or match: whoever sent it hears nothing. */
export function readMessage(packet: Buffer): SipRequest | SipResponse | undefined {
  if (packet.length > maxPacketLength) return undefined
  const { head, body } = split(packet)
  const [start = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.map(readHeader)
  if (!headers.every((header) => header !== undefined)) return undefined
  const common = commonOf(headers, body)
  if (!common) return undefined
  const answer = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/.exec(start)
  if (answer) return { ...common, status: Number(answer[1]), reason: answer[2] ?? '' }
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

/** What every message must have. */
function commonOf(headers: readonly Header[], body: string): Common | undefined {
  const via = headersOf({ headers }, 'via')[0]
  const [from, to, callId] = ['from', 'to', 'call-id'].map((name) => headerOf({ headers }, name))
  const [, sequence, method] = /^(\d{1,10})[ \t]+([A-Z]+)$/.exec(headerOf({ headers }, 'cseq') ?? '') ?? []
  const branch = parameterOf(via, 'branch')
  const fromTag = parameterOf(from, 'tag')
  if (!to || !callId || method === undefined || branch === undefined || fromTag === undefined) return undefined
  return { headers, body, callId, sequence: Number(sequence), method, branch, fromTag, toTag: parameterOf(to, 'tag') }
}

type Headed = Pick<Common, 'headers'>

export function headerOf({ headers }: Headed, name: string): string | undefined {
  return headers.find(([header]) => header === name)?.[1]
}

/** All values of a header that may have several, on one line or on many. */
export function headersOf({ headers }: Headed, name: string): string[] {
  return headers.filter(([header]) => header === name).flatMap(([, value]) => listed(value))
}

/** A list, at commas that stand neither in quotes nor in angle brackets. */
function listed(value: string): string[] {
  const found = value.match(/(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,"<])+/g) ?? []
  return found.map((one) => one.trim()).filter((one) => one !== '')
}

/** A parameter after an address, not one inside its angle brackets. */
function parameterOf(value: string | undefined, name: string): string | undefined {
  const outside = value?.replace(/"(?:[^"\\]|\\.)*"/g, '').replace(/<[^<>]*>/g, '') ?? ''
  return new RegExp(`;[ \\t]*${name}[ \\t]*=[ \\t]*([^;,\\s]+)`, 'i').exec(outside)?.[1]
}

/** The address inside of a value such as `"Bob" <sip:bob@example.com>;tag=1`. */
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
  const found = /^sips?:(?:[^@<>\s]*@)?([A-Za-z0-9.-]+)(?::(\d{1,5}))?((?:;[^?\s]*)?)(?:\?\S*)?$/i.exec(text)
  const port = Number(found?.[2] ?? defaultPort)
  return found?.[1] && port <= 65_535 ? { host: found[1], port, parameters: found[3] ?? '' } : undefined
}

export function writeMessage(start: string, headers: readonly Header[], body = ''): Buffer {
  const all: Header[] = [...headers, ['Content-Length', String(Buffer.byteLength(body))]]
  return Buffer.from(`${start}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
}
