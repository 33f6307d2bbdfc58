import type { Socket } from 'node:net'

/** Requests of a program that waits for each reply as a whole. */
export interface Conversation {
  /** What the server says until it is our turn again; nothing if it has hung up. */
  ask(request: Uint8Array): Promise<Buffer>
}

const messageHead = 5 // a letter, and the length that includes itself
const letter = (text: string) => text.charCodeAt(0)
const terminate = letter('X')
const readyForQuery = letter('Z')
const authentication = letter('R')
/** Passwords in clear and as MD5, and the two steps of SASL to which the client has something to say. */
const awaitedAuthentications: readonly number[] = [3, 5, 10, 11]

/** PostgreSQL's protocol as far as it says whose turn it is. */
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

/** Whether the last of all messages so far leaves the turn to the client. */
function turnReader(): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  let toSkip = 0
  let isOurs = false
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const skipped = Math.min(toSkip, rest.length)
      rest = rest.subarray(skipped)
      toSkip -= skipped
      if (toSkip > 0 || rest.length < messageHead) break
      const length = rest.readUInt32BE(1) + 1
      const isAuthentication = rest[0] === authentication
      if (isAuthentication && rest.length < messageHead + 4) break
      isOurs =
        rest[0] === readyForQuery ||
        (isAuthentication && awaitedAuthentications.includes(rest.readUInt32BE(messageHead)))
      toSkip = length
    }
    return isOurs && toSkip === 0 && rest.length === 0
  }
}
