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
