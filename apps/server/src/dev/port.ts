import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The port if nobody has it, or any free one for 0. Fails as a server would, with the port in the error. */
export async function freePort(host: string, port: number): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Below the ports that systems give to outgoing connections: what was free stays free while a server starts again. */
const steady = { from: 20_000, to: 32_000 }

/** A free port that will probably still be free in a moment. */
export async function steadyPort(host: string, attempts = 20): Promise<number> {
  const port = randomInt(steady.from, steady.to)
  if (attempts === 0) return freePort(host, 0)
  return freePort(host, port).catch(() => steadyPort(host, attempts - 1))
}
