import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GroupEvent } from '../events/event.ts'

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** In order of arrival. */
  readonly events: GroupEvent[]
  /** Of the next responses. */
  status: number
}

/** A real server that records events. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    receiver.events.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(receiver.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, // never null for a listening server
    events: [],
    status: 200,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
