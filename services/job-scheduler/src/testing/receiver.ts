import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Received {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Identifies repeats. */
  readonly executionId: string
  readonly expectedAt: Date
  readonly arrivedAtMs: number
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  /** Sets the response of a path; 200 by default. */
  answer(path: string, status: number, body?: string, headers?: Readonly<Record<string, string>>): void
  until(count: number, timeoutMs?: number): Promise<void>
}

/** A real server that records its requests. */
export async function startReceiver(pauseMs = 0): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, { readonly status: number; readonly body: string; readonly headers: object }>()
  const server = createServer(async (request, response) => {
    const arrivedAtMs = Date.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', method = '', headers } = request
    received.push({
      path,
      method,
      headers,
      body: Buffer.concat(chunks).toString(),
      executionId: String(headers['icosa-execution-id']),
      expectedAt: new Date(String(headers['icosa-expected-time'])),
      arrivedAtMs,
    })
    if (pauseMs > 0) await sleep(pauseMs)
    const { status, body, headers: more } = answers.get(path) ?? { status: 200, body: 'thank you', headers: {} }
    response.writeHead(status, { 'content-type': 'text/plain', ...more }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // never null for a listening server
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: (path, status, body = '', headers = {}) => void answers.set(path, { status, body, headers }),
    async until(count, timeoutMs = 20_000) {
      for (const end = performance.now() + timeoutMs; received.length < count; await sleep(20)) {
        if (performance.now() > end)
          throw new Error(`${received.length} of ${count} requests arrived in ${timeoutMs} ms`)
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
