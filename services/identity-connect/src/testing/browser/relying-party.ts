import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The web server of an application, on its own origin. */
export interface RelyingParty extends AsyncDisposable {
  readonly origin: string
  /** The redirect URI. In a popup or frame it notifies the opener or parent, and a popup closes. */
  readonly callback: string
  /** Serves a page, and returns its URL. */
  page(path: string, html: string): string
  /** Redirects from a path, and returns its URL. */
  redirect(path: string, to: string): string
}

const back = `<!doctype html>
<html lang="en">
<title>Back at the application</title>
<link rel="icon" href="data:,">
<h1>Welcome back</h1>
<script>
if (opener) {
  opener.postMessage(location.search, origin)
  close()
}
if (parent !== window) parent.postMessage(location.search, origin)
</script>
</html>`

/** `localhost` and `127.0.0.1` are the same machine, but different sites to a browser. */
export async function startRelyingParty(host: 'localhost' | '127.0.0.1' = 'localhost'): Promise<RelyingParty> {
  const pages = new Map([['/cb', back]])
  const redirections = new Map<string, string>()
  const server = createServer(({ url = '' }, response) => {
    const path = url.replace(/\?.*/s, '')
    const location = redirections.get(path)
    if (location) return response.writeHead(302, { location }).end()
    const page = pages.get(path)
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://${host}:${port}`
  return {
    origin,
    callback: `${origin}/cb`,
    page(path, html) {
      pages.set(path, html)
      return `${origin}${path}`
    },
    redirect(path, to) {
      redirections.set(path, to)
      return `${origin}${path}`
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
