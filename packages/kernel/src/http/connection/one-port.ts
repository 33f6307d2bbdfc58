import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { limits } from '../limits.ts'

export interface TlsKeys {
  readonly key: string
  readonly cert: string
}

/** First byte of a TLS connection, a handshake record. No HTTP method begins with it. */
const handshake = 22

/** A server for HTTP and HTTPS on the same port, distinguished by the first byte. */
export function onePort(handler: RequestListener, options: ServerOptions, keys: TlsKeys): Server {
  const server = createServer(options, handler)
  const [accept] = server.listeners('connection') as [(this: Server, socket: Socket) => void]
  const secureContext = createSecureContext(keys)

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    socket.once('error', () => socket.destroy()) // until another listener is added
    const impatient = setTimeout(() => socket.destroy(), limits.headersMs).unref()
    socket.once('close', () => clearTimeout(impatient))
    socket.once('data', (first: Buffer) => {
      clearTimeout(impatient)
      socket.pause()
      socket.unshift(first)
      if (first[0] !== handshake) accept.call(server, socket)
      else {
        const secure = new TLSSocket(socket, { isServer: true, secureContext })
        secure.once('error', () => secure.destroy())
        accept.call(server, secure)
      }
      process.nextTick(() => socket.resume())
    })
  })
  return server
}
