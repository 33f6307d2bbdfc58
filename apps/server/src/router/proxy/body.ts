import type { ClientRequest, IncomingMessage } from 'node:http'

/** Length up to which a body that was sent can be sent again. */
const maxReplayBytes = 64 * 1024

/** The body of a request on its way to a cell, at the pace of the slower side. */
export interface RelayedBody {
  /** Sends the body. If an earlier cell has refused the request, what it got is sent again. */
  sendTo(target: ClientRequest): void
  /** Whether the whole body can be sent to another cell. */
  canReplay(): boolean
  /** Drops what was kept for another cell. */
  release(): void
}

export function relayBody(request: IncomingMessage): RelayedBody {
  let sent: Buffer[] | undefined = []
  let length = 0
  let target: ClientRequest | undefined
  let hasStarted = false
  function start(): void {
    hasStarted = true
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxReplayBytes) sent = undefined
      sent?.push(chunk)
      if (target?.destroyed === false && !target.write(chunk)) request.pause()
    })
    request.once('end', () => target?.end())
  }
  return {
    sendTo(next) {
      target = next
      const resume = () => void (target === next && request.resume())
      next.on('drain', resume)
      next.once('close', resume)
      for (const chunk of sent ?? []) next.write(chunk)
      if (request.readableEnded) next.end()
      else if (hasStarted) request.resume()
      else start()
    },
    canReplay: () => sent !== undefined,
    release() {
      sent = undefined
    },
  }
}

/** For requests without a body, and for connections that change their protocol. */
export const noBody: RelayedBody = { sendTo: (target) => void target.end(), canReplay: () => true, release() {} }
