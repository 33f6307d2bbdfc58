import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedBatch {
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  readonly timestamp: number
  readonly events: readonly Record<string, unknown>[]
}

/** Starts an HTTP endpoint of a stream that records accepted batches. */
export async function startStream() {
  const accepted: ReceivedBatch[] = []
  let status = 200
  let attempts = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { requestId, timestamp, records } = JSON.parse(Buffer.concat(chunks).toString())
    const events = records.map(({ data }: { data: string }) => JSON.parse(Buffer.from(data, 'base64').toString()))
    attempts++
    if (status < 300) accepted.push({ headers: request.headers, requestId, timestamp, events })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ requestId, timestamp }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, // an address with a port
    accepted,
    attempts: () => attempts,
    events: () => accepted.flatMap(({ events }) => events),
    /** Sets the status of further responses. */
    answer: (next: number) => {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
