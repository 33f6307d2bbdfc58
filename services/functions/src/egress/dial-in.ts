import { connect, type Socket } from 'node:net'
import type { Running } from '@icosa/sandbox'

/** Connections that wait in an instance for it to connect somewhere. */
const spares = 2
/** A program may close them as fast as it likes. */
const redialMs = 100
/** Until it listens. */
const startMs = 10

/**
 * Dials into an instance and hands over the connections that it uses. This way round, the sandbox needs neither a network nor
 * access to a socket of the host.
 */
export function dialIn(running: Running, accept: (socket: Socket) => void): void {
  const path = running.pathOf('egress')
  let isEnded = false
  let isListening = false
  const sockets = new Set<Socket>()
  const dial = () => {
    if (isEnded) return
    let isUsed = false
    const socket = connect({ path, allowHalfOpen: true })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('connect', () => {
      isListening = true
    })
    socket.on('readable', function use() {
      if (socket.readableLength === 0) return void socket.read() // it has ended
      socket.off('readable', use)
      isUsed = true
      dial()
      accept(socket)
    })
    socket.on('end', () => !isUsed && socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      if (!isUsed) setTimeout(dial, isListening ? redialMs : startMs).unref()
    })
  }
  const end = () => {
    isEnded = true
    for (const socket of sockets) socket.destroy()
  }
  void running.done.then(end, end)
  for (let count = 0; count < spares; count++) dial()
}
