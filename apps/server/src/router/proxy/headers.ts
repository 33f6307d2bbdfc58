import type { IncomingMessage } from 'node:http'
import { Failure } from '@icosa/kernel'
import type { RoutedCell } from '../table/table.ts'

/** Headers of one connection, which a proxy removes (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
])
const forwarded = new Set(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'])
/** `Connection` may not name these: without them, a request would mean something else. */
const indispensable = new Set(['host', 'content-length', 'authorization', 'cookie', 'expect'])

/** Host and protocol as the caller used them. */
export interface Origin {
  readonly host: string
  readonly protocol: string
}

export function originOf({ headers, socket }: IncomingMessage, trustedProxies: number): Origin {
  const trusted = (name: string) => (trustedProxies > 0 ? entriesOf(headers[name]).at(-1) : undefined)
  return {
    host: trusted('x-forwarded-host') ?? headers.host ?? '',
    protocol: trusted('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http'),
  }
}

/** Headers for the cell, as they came, but for those of the connection and of proxies. */
export function requestHeaders(request: IncomingMessage, trustedProxies: number, { url }: RoutedCell): string[] {
  const { headers, socket, method = '', upgrade } = request as IncomingMessage & { readonly upgrade: boolean }
  const { host, protocol } = originOf(request, trustedProxies)
  const addresses = entriesOf(headers['x-forwarded-for']).slice(trustedProxies > 0 ? -trustedProxies : Infinity)
  const kept = endToEnd(request, forwarded)
  if (headers.host === undefined) kept.push('Host', new URL(url).host) // HTTP/1.0 needs none
  if (upgrade) kept.push('Connection', 'Upgrade', 'Upgrade', String(headers.upgrade))
  if (headers['transfer-encoding'] !== undefined) kept.push('Transfer-Encoding', 'chunked')
  else if (headers['content-length'] === undefined && !bodiless.has(method)) kept.push('Content-Length', '0')
  kept.push('X-Forwarded-For', [...addresses, plainAddress(socket.remoteAddress ?? '')].join(', '))
  kept.push('X-Forwarded-Proto', protocol)
  if (host !== '') kept.push('X-Forwarded-Host', host)
  return kept
}

export const responseHeaders = (response: IncomingMessage) => endToEnd(response)

/** Refuses codings of the message that a proxy would have to decode. */
export function refuseCodings({ headers }: IncomingMessage): void {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    throw new Failure('invalid', 'The only transfer-encoding is chunked.')
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** For all others, Node would send an empty chunked body. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

function endToEnd({ rawHeaders, headers }: IncomingMessage, besides?: ReadonlySet<string>): string[] {
  const named = new Set(entriesOf(headers.connection).map((name) => name.toLowerCase()))
  const kept: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string
    const name = header.toLowerCase()
    if (hopByHop.has(name) || besides?.has(name) || (named.has(name) && !indispensable.has(name))) continue
    kept.push(header, rawHeaders[index + 1] as string)
  }
  return kept
}

const entriesOf = (value: string | string[] | undefined) =>
  String(value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const plainAddress = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '')
