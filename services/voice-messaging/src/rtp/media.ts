import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { Failure } from '@icosa/kernel'

export interface PortRange {
  readonly first: number
  readonly last: number
}

/** Opens RTP sockets on the next free even port of a range, at a local address. */
export function mediaSockets({ first, last }: PortRange): (address: string) => Promise<Socket> {
  const start = first + (first % 2)
  const count = Math.floor((last - start) / 2) + 1
  let next = 0
  return async (address) => {
    for (let tries = 0; tries < count; tries++) {
      const socket = createSocket('udp4').unref()
      try {
        socket.bind(start + 2 * (next++ % count), address)
        await once(socket, 'listening')
        socket.on('error', () => {}) // the callee has closed its port: a BYE or a timeout follows
        return socket // incoming audio is ignored
      } catch {
        socket.close()
      }
    }
    throw new Failure('unavailable', `All RTP ports from ${first} to ${last} are in use: widen the range.`)
  }
}
