import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which begin at 32768 (Linux) or 49152. */
const lowest = 10_000
const highest = 19_999

/** A loopback port that is free over TCP and UDP, for a server that needs a fixed one. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, highest)
  return (await isFree(port)) ? port : await freePort()
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const socket = createSocket('udp4')
  try {
    await Promise.all([
      once(server.listen(port, '127.0.0.1'), 'listening'),
      once(socket.bind(port, '127.0.0.1'), 'listening'),
    ])
    return true
  } catch {
    return false
  } finally {
    await Promise.all(
      [server[Symbol.asyncDispose](), socket[Symbol.asyncDispose]()].map((closing) => closing.catch(() => {})),
    )
  }
}
