import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { Failure } from '@icosa/kernel'
import { addressesOf } from '../resolve.ts'
import { outboundUrl } from '../url.ts'
import { type EgressRules, refusalOf } from './rules.ts'
import { throttled, type Usage, usageOf } from './usage.ts'

/** A sandboxed program, on whose behalf connections are opened. */
export interface EgressClient {
  readonly tenant: string
  readonly rules: EgressRules
  /** Hosts that the platform itself serves, by `name:port`. */
  readonly hosts?: Readonly<Record<string, RequestListener>>
  /** Where the platform is reached under a public name of its own; undefined for other names. */
  readonly platformAt?: (host: string, port: number) => Address | undefined
  /** Receives a line for each connection, opened or refused. */
  report(line: string): void
}

interface Address {
  readonly host: string
  readonly port: number
}

export interface EgressOptions {
  /** Concurrent connections of a tenant. */
  readonly maxConnections: number
  /** Of a tenant, in both directions together. */
  readonly bytesPerSecond: number
  /** DNS servers, `host:port`. Default: the system's. */
  readonly nameServers?: readonly string[] | undefined
  /** For a request's head, and for connecting. Default: 30 s. */
  readonly connectMs?: number | undefined
  /** Connections without traffic are closed. Default: 10 minutes. */
  readonly idleMs?: number | undefined
}

/** An HTTP proxy (CONNECT and absolute form) without a port: it gets its connections from the sandboxes. */
export interface Egress {
  accept(socket: Socket, client: EgressClient): void
  close(): void
}

interface Carrier {
  readonly client: EgressClient
  readonly usage: Usage
  /** Set once it leads to a host of the platform. */
  listener?: RequestListener | undefined
  readonly deadline: NodeJS.Timeout
}

const maxHeadBytes = 16 * 1024

export function openEgress(options: EgressOptions): Egress {
  const { maxConnections, connectMs = 30_000, idleMs = 600_000 } = options
  const usage = usageOf(options.bytesPerSecond)
  const carriers = new Map<Socket, Carrier>()
  const server = createServer({
    maxHeaderSize: maxHeadBytes,
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: 0,
  })
  const carrierOf = (socket: Socket): Carrier => {
    const carrier = carriers.get(socket)
    if (!carrier) throw new Error('The connection belongs to no program.')
    clearTimeout(carrier.deadline)
    return carrier
  }

  server.on('connect', (message: IncomingMessage, socket: Socket, head: Buffer) => {
    const carrier = carrierOf(socket)
    void connectTo(carrier, socket, head, message.url ?? '').catch((error) => refuse(socket, carrier, error))
  })
  server.on('request', (message, response) => {
    const carrier = carrierOf(message.socket)
    if (carrier.listener) return void carrier.listener(message, response)
    void forward(carrier, message, response).catch((error: Failure) => {
      carrier.client.report(`egress: ${error.message}`)
      if (response.headersSent) response.destroy()
      else response.writeHead(statusOf(error), { 'content-type': 'text/plain' }).end(`${error.message}\n`)
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())

  async function connectTo(carrier: Carrier, socket: Socket, head: Buffer, authority: string): Promise<void> {
    const { host, port } = destinationOf(authority)
    if (head.length > 0) socket.unshift(head)
    const listener = carrier.client.hosts?.[`${host}:${port}`]
    if (listener) {
      carrier.listener = listener
      socket.write(established)
      server.emit('connection', socket)
      return
    }
    const upstream = await open(carrier, host, port)
    if (socket.destroyed) return void upstream.destroy()
    socket.write(established)
    for (const end of [socket, upstream]) end.setMaxListeners(20) // two pipelines each
    pipeline(socket, throttled(carrier.usage), upstream, () => {})
    pipeline(upstream, throttled(carrier.usage), socket, () => {})
    socket.once('close', () => upstream.destroy())
    upstream.once('close', () => socket.destroy())
  }

  /** Forwards a plain HTTP request in absolute form. */
  async function forward(carrier: Carrier, message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!/^http:\/\//i.test(message.url ?? ''))
      throw new Failure('invalid', 'The proxy takes CONNECT, or http:// addresses in absolute form.')
    const url = outboundUrl(message.url ?? '')
    const port = Number(url.port || 80)
    const listener = carrier.client.hosts?.[`${url.hostname}:${port}`]
    message.url = url.pathname + url.search
    if (listener) return void listener(message, response)
    const upstream = await open(carrier, hostOf(url), port)
    const outgoing = request({
      createConnection: () => upstream,
      method: message.method,
      path: message.url,
      headers: endToEnd(message.rawHeaders, url.host),
      setHost: false,
    })
    outgoing.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, endToEnd(incoming.rawHeaders))
      pipeline(incoming, throttled(carrier.usage), response, () => upstream.destroy())
    })
    outgoing.on('error', () => response.destroy())
    response.once('close', () => upstream.destroy())
    pipeline(message, throttled(carrier.usage), outgoing, () => {})
  }

  /** Opens a connection to an address that was resolved once and checked. */
  async function open({ client }: Carrier, host: string, port: number): Promise<Socket> {
    const place = `${host}:${port}`
    const startedAt = performance.now()
    const own = client.platformAt?.(host, port)
    const addresses = own ? [] : await addressesOf(host, options.nameServers, AbortSignal.timeout(connectMs))
    const refusal = own ? undefined : refusalOf(client.rules, { host, port, addresses })
    if (refusal !== undefined) throw new Failure('forbidden', `A connection to ${place} is refused: ${refusal}.`)
    const lookup: LookupFunction = (_name, { all }, callback) => {
      const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
      if (all) return callback(null, pinned)
      callback(null, pinned[0]?.address ?? '', pinned[0]?.family)
    }
    const upstream = connect({ host, port, allowHalfOpen: true, ...(own ?? { lookup }) })
    upstream.setTimeout(connectMs, () => upstream.destroy(new Error(`no answer within ${connectMs} ms`)))
    await new Promise<void>((resolve, reject) => {
      upstream.once('connect', resolve).once('error', (error: NodeJS.ErrnoException) => {
        const cause = (error as AggregateError).errors?.[0] ?? error // its addresses are not told to the program
        reject(new Failure('unavailable', `A connection to ${place} failed: ${cause.code ?? cause.message}.`))
      })
    })
    upstream.setTimeout(idleMs, () => upstream.destroy()).on('error', () => {})
    upstream.once('close', () => {
      const { bytesWritten, bytesRead } = upstream
      const took = (performance.now() - startedAt).toFixed(0)
      client.report(`egress: ${place}, ${bytesWritten} bytes sent, ${bytesRead} received in ${took} ms`)
    })
    return upstream
  }

  return {
    accept(socket, client) {
      const tenant = usage(client.tenant)
      socket.on('error', () => {})
      if (tenant.connections >= maxConnections) {
        const message = `The tenant has ${maxConnections} connections open on this node, which is the limit: close some.`
        return refuse(socket, { client }, new Failure('rateLimited', message))
      }
      tenant.connections++
      const deadline = setTimeout(() => socket.destroy(), connectMs)
      carriers.set(socket, { client, usage: tenant, deadline })
      socket.once('close', () => {
        clearTimeout(deadline)
        tenant.connections--
        carriers.delete(socket)
      })
      socket.setTimeout(idleMs, () => socket.destroy())
      server.emit('connection', socket)
    },
    close() {
      for (const socket of carriers.keys()) socket.destroy()
    },
  }
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** Reads `host:port`. The URL parser normalizes all disguises of the host. */
function destinationOf(authority: string): Address {
  const [, host = '', port = ''] = /^([^/?#@\\\s]+):(\d{1,5})$/.exec(authority) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > 65_535) throw new Failure('invalid', `CONNECT needs host:port.`)
  return { host: hostOf(outboundUrl(`http://${host}/`)), port: Number(port) }
}

const statuses: Readonly<Record<string, number>> = { invalid: 400, forbidden: 403, rateLimited: 429 }
const statusOf = (error: Error) => (error instanceof Failure ? (statuses[error.kind] ?? 502) : 502)

function refuse(socket: Socket, { client }: Pick<Carrier, 'client'>, error: Error): void {
  client.report(`egress: ${error.message}`)
  const body = `${error.message}\n`
  const head = `HTTP/1.1 ${statusOf(error)} Refused\r\nContent-Type: text/plain\r\nConnection: close\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  socket.resume()
}

const hopByHop =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|x-forwarded-.*|forwarded)$/i

function endToEnd(raw: readonly string[], host?: string): string[] {
  const headers = host === undefined ? [] : ['Host', host]
  for (let at = 0; at < raw.length; at += 2)
    if (!hopByHop.test(raw[at] ?? '')) headers.push(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}
