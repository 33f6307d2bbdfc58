import { once } from 'node:events'
import { createServer } from 'node:net'

/** Fails as the server would, with the port in the error. */
export async function requireFreePort({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
