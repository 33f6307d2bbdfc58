import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

export interface Site {
  readonly port: number
  /** Currently open connections. */
  connections(): number
  close(): void
}

type Route = (response: ServerResponse, request: IncomingMessage, url: URL) => unknown

const MIB = Buffer.alloc(1024 * 1024)

const routes: Readonly<Record<string, Route>> = {
  /** Echoes the request. */
  '/echo': async (response, request) => {
    const { method, headers, socket } = request
    response.end(JSON.stringify({ method, headers, at: socket.localAddress, body: await text(request) }))
  },
  '/redirect': (response, _request, { searchParams }) => {
    const location = searchParams.get('to') ?? ''
    setTimeout(
      () => {
        response.writeHead(Number(searchParams.get('status') ?? 302), { location }).end('moved')
      },
      Number(searchParams.get('after') ?? 0),
    )
  },
  /** Redirects with an endless body. */
  '/rambling': (response) => {
    response.writeHead(302, { location: '/echo' })
    endlessly(response, MIB)
  },
  '/compressed': (response, _request, { searchParams }) => {
    const coding = searchParams.get('as') ?? ''
    const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[coding]
    response.setHeader('content-encoding', coding).end(compress?.('the same words') ?? 'not really')
  },
  '/bomb': (response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync(MIB))
  },
  /** An endless gzip stream that decodes to nothing. */
  '/hollow': (response) => {
    response.setHeader('content-encoding', 'gzip').write(gzipSync('').subarray(0, 10))
    const emptyBlocks = Buffer.alloc(50_000, Buffer.from([0, 0, 0, 0xff, 0xff]))
    endlessly(response, emptyBlocks)
  },
  '/endless': (response) => endlessly(response, MIB),
  '/drip': (response) => {
    const drip = setInterval(() => response.write('.'), 1000)
    response.write('.')
    response.on('close', () => clearInterval(drip))
  },
  '/silent': () => {},
  '/wide': (response) => {
    response.setHeader('x-wide', 'x'.repeat(20_000)).end()
  },
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setTimeout(() => response.destroy(), 20)
  },
}

/** A web site on one loopback address with well-behaved and hostile pages. */
export async function loopbackSite(address: string): Promise<Site> {
  let open = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://site.test')
    const route = routes[url.pathname]
    if (route === undefined) return void response.writeHead(404).end('nothing here')
    void route(response, request, url)
  })
  server.on('connection', (socket) => {
    open++
    socket.on('close', () => open--)
  })
  server.listen(0, address)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, connections: () => open, close: () => void server.close() }
}

function endlessly(response: ServerResponse, chunk: Buffer): void {
  const fill = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', fill)
  fill()
}
