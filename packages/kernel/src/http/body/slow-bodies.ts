import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { sweeper } from '../../sharing/sweeper.ts'
import { limits } from '../limits.ts'

const sweepMs = 1_000

interface Reading {
  readonly since: number
  /** Bytes received on the connection before this request. */
  readonly bytesBefore: number
  answeredAt: number | undefined
}

/**
 * Drops connections whose bodies trickle in, on every route (slowloris protection). One sweep a second checks all
 * bodies in transit; requests without one cost nothing.
 */
export function dropSlowBodies(handler: RequestListener): RequestListener {
  const readings = new Map<IncomingMessage, Reading>()
  const sweep = sweeper(sweepMs, () => {
    const now = performance.now()
    // Complete, although its handler may not have read it: the connection may already serve another request.
    for (const [request, reading] of readings)
      if (request.complete) readings.delete(request)
      else if (isTooSlow(request, reading, now)) request.socket.destroy()
    return readings.size > 0
  })

  function watch(request: IncomingMessage, response: ServerResponse): void {
    const reading: Reading = {
      since: performance.now(),
      bytesBefore: request.socket.bytesRead,
      answeredAt: undefined,
    }
    readings.set(request, reading)
    const forget = () => readings.delete(request)
    request.once('end', forget)
    request.once('close', forget)
    response.once('finish', () => {
      reading.answeredAt = performance.now()
    })
    sweep()
  }

  return (request, response) => {
    if (hasBody(request)) watch(request, response)
    handler(request, response)
  }
}

function isTooSlow(request: IncomingMessage, { since, bytesBefore, answeredAt }: Reading, now: number): boolean {
  if (answeredAt !== undefined) return now - answeredAt > limits.unreadBodyMs
  // A slow handler is not the sender's fault.
  if (now - since < limits.slowBodyMs || request.readableLength > 0) return false
  const bytes = request.socket.bytesRead - bytesBefore
  return bytes < ((now - since) / 1_000) * limits.bodyBytesPerSecond
}

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
