import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Page = (response: ServerResponse, request: IncomingMessage) => unknown

export interface Site extends AsyncDisposable {
  readonly url: string
  /** Requested paths, in order. */
  readonly requests: readonly string[]
  /** Number of open connections. */
  connections(): number
}

/** Starts a host on loopback with these pages. */
export async function startSite(pages: Readonly<Record<string, Page>>, address = '127.0.0.1'): Promise<Site> {
  const requests: string[] = []
  let open = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const page = pages[path]
    if (page) page(response, request)
    else response.writeHead(404).end()
  })
  server.on('connection', (socket) => {
    open++
    socket.on('close', () => open--)
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => open,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const send =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Page =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/rss+xml', ...headers }).end(body)

export const namespaces =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"'

export interface ItemParts {
  readonly title?: string
  readonly guid?: string
  readonly audio?: string
  readonly pubDate?: string
  readonly more?: string
}

export function item({
  title = 'An episode',
  guid,
  audio = 'https://audio.example/1.mp3',
  pubDate,
  more = '',
}: ItemParts): string {
  return `<item><title>${title}</title>${guid === undefined ? '' : `<guid>${guid}</guid>`}${
    pubDate === undefined ? '' : `<pubDate>${pubDate}</pubDate>`
  }<enclosure url="${audio}" type="audio/mpeg" length="1"/>${more}</item>`
}

/** A feed with items, channel elements and a prolog. */
export function rss(items: string, channel = '<title>A podcast</title><language>en</language>', prolog = ''): string {
  return `${prolog}<rss version="2.0" ${namespaces}><channel>${channel}${items}</channel></rss>`
}
