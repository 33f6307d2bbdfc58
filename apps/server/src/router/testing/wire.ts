import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { startTestRouter, type TestRouterOptions } from './router.ts'

/** A router before a server that handles requests itself. */
export async function routed(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  options: Omit<TestRouterOptions, 'cells'> = {},
) {
  const stack = new AsyncDisposableStack()
  const server = createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const router = stack.use(await startTestRouter({ cells: { a: `http://127.0.0.1:${port}` }, ...options }))
  const socketTo = () => connect(Number(new URL(router.url).port), '127.0.0.1')
  /** Sends text, and returns all that comes back until the connection ends. */
  const exchange = async (lines: string) => {
    const socket = socketTo()
    socket.write(lines, 'latin1')
    return (
      await socket
        .setEncoding('latin1')
        .toArray()
        .catch(() => [])
    ).join('')
  }
  return { ...router, server, exchange, socketTo, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export const echo = (request: IncomingMessage, response: ServerResponse) =>
  void text(request).then(
    (body) => response.end(JSON.stringify({ method: request.method, url: request.url, raw: request.rawHeaders, body })),
    () => {},
  )

export const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
