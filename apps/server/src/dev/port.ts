import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns the port if it is free, or any free one for 0. Fails as a server would, with the port in the error. */
export const freePort = (host: string, port: number): Promise<number> =>
  port === 0 ? steadyPort(host) : bindOnce(host, port)

async function bindOnce(host: string, port: number): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Below the ephemeral port range, so that a free port stays free while a server restarts. */
const steady = { from: 20_000, to: 32_000 }

/** Returns a free port that is likely to stay free. */
async function steadyPort(host: string, attempts = 20): Promise<number> {
  const port = randomInt(steady.from, steady.to)
  if (attempts === 0) return bindOnce(host, 0)
  return bindOnce(host, port).catch(() => steadyPort(host, attempts - 1))
}
