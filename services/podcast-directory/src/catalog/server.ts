import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from './random.ts'
import { pagesOf } from './site.ts'
import { type Show, showOf } from './synthetic.ts'

export interface CatalogOptions {
  readonly feeds: number
  readonly seed?: number
  /** Local addresses, each a separate host; the feeds are spread over them. */
  readonly addresses?: readonly string[]
  /** Port of the first address; by default any free one. */
  readonly port?: number
  /** Response delay. */
  readonly delayMs?: number
}

export interface Catalog extends AsyncDisposable {
  readonly feeds: readonly string[]
  /** The feeds as an importable list. */
  readonly opml: string
  /** Number of episodes in a feed. */
  episodes(number: number): number
  /** Adds an episode to a feed. */
  publish(number: number): void
  /** Requests to all hosts. */
  traffic(): { readonly requests: number; readonly notModified: number; readonly maxConcurrent: number }
}

const defaultEpisodes = 8

/** Serves synthetic podcasts as feeds over HTTP, with realistic flaws, determined by the seed. */
export async function startCatalog(options: CatalogOptions): Promise<Catalog> {
  const { feeds: count, seed = 1, addresses = ['127.0.0.1'], port = 0, delayMs = 0 } = options
  const shows = new Map<number, Show>()
  const published = new Map<number, number>()
  let [requests, notModified, maxConcurrent] = [0, 0, 0]

  const episodesOf = (number: number) =>
    randomOf(seed, 3, number).below(2 * defaultEpisodes) + 2 + (published.get(number) ?? 0)
  const feed = (number: number) => {
    if (number >= count) return undefined
    // Planned for more episodes than it has, so that a new one is the latest.
    const show = shows.get(number) ?? showOf(seed, number, episodesOf(number) + 100)
    shows.set(number, show)
    return { show, episodes: episodesOf(number) }
  }
  const pages = pagesOf({ feed })

  function open(): Server {
    let concurrent = 0
    return createServer(async (request, response) => {
      requests++
      concurrent++
      maxConcurrent = Math.max(maxConcurrent, concurrent)
      response.once('close', () => {
        concurrent--
        if (response.statusCode === 304) notModified++
      })
      if (delayMs > 0) await sleep(delayMs)
      const path = request.url?.split('?', 1)[0] ?? ''
      const [page, parts] = match(pages, path)
      if (path === '/feeds.opml') response.setHeader('content-type', 'text/x-opml').end(opml)
      else if (page) await page(response, request, `http://${request.headers.host}`, parts)
      else response.writeHead(404).end('Not found.')
    })
  }

  const servers = await Promise.all(
    addresses.map(async (address, index) => listening(open(), address, index === 0 ? port : 0)),
  )
  const sites = servers.map((server) => siteOf(server))
  const feedUrls = Array.from({ length: count }, (_, number) => `${sites[number % sites.length]}/feeds/${number}.xml`)
  const opml = opmlOf(feedUrls)
  return {
    feeds: feedUrls,
    opml,
    episodes: episodesOf,
    publish: (number) => void published.set(number, (published.get(number) ?? 0) + 1),
    traffic: () => ({ requests, notModified, maxConcurrent }),
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

function match<Page>(pages: readonly (readonly [RegExp, Page])[], path: string): [Page | undefined, string[]] {
  for (const [pattern, page] of pages) {
    const groups = pattern.exec(path)
    if (groups) return [page, groups.slice(1)]
  }
  return [undefined, []]
}

async function listening(server: Server, address: string, port: number): Promise<Server> {
  server.listen(port, address)
  await once(server, 'listening')
  return server
}

function siteOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo
  return `http://${address}:${port}`
}

function opmlOf(feeds: readonly string[]): string {
  const outlines = feeds.map((url, number) => `<outline type="rss" text="Synthetic show ${number}" xmlUrl="${url}"/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Synthetic podcasts</title></head><body>
${outlines.join('\n')}
</body></opml>
`
}
