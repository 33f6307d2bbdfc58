import type { Socket } from 'node:net'

/** Sends requests of a program that waits for each whole reply. */
export interface Conversation {
  /** Returns everything the server sends until the client's next turn; empty if it has disconnected. */
  ask(request: Uint8Array): Promise<Buffer>
}

const messageHeader = 5 // type and length, which includes itself
const letter = (text: string) => text.charCodeAt(0)
const terminate = letter('X')
const readyForQuery = letter('Z')
const authentication = letter('R')
/** Passwords in clear and as MD5, and the two SASL steps that the client answers. */
const awaitedAuthentications: readonly number[] = [3, 5, 10, 11]

/** PostgreSQL's protocol, as far as it shows whose turn it is. */
export function conversationOn(socket: Socket): Conversation {
  let chunks: Buffer[] = []
  let waiting: ((reply: Buffer) => void) | undefined

  function answer() {
    const resolve = waiting
    waiting = undefined
    const reply = Buffer.concat(chunks)
    chunks = []
    resolve?.(reply)
  }

  const turns = turnReader()
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    if (turns(chunk)) answer()
  })
  socket.on('close', answer)
  return {
    ask: (request) =>
      new Promise((resolve) => {
        waiting = resolve
        if (socket.destroyed) return answer()
        socket.write(request)
        if (request[0] === terminate) answer()
      }),
  }
}

/** Returns whether the last message leaves the turn to the client. */
function turnReader(): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  let toSkip = 0
  let isClientTurn = false
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const skipped = Math.min(toSkip, rest.length)
      rest = rest.subarray(skipped)
      toSkip -= skipped
      if (toSkip > 0 || rest.length < messageHeader) break
      const length = rest.readUInt32BE(1) + 1
      const isAuthentication = rest[0] === authentication
      if (isAuthentication && rest.length < messageHeader + 4) break
      isClientTurn =
        rest[0] === readyForQuery ||
        (isAuthentication && awaitedAuthentications.includes(rest.readUInt32BE(messageHeader)))
      toSkip = length
    }
    return isClientTurn && toSkip === 0 && rest.length === 0
  }
}
