import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface Exchange extends AsyncDisposable {
  readonly port: number
  /** The calls that came in, by the number that was called. */
  calls(number: string): number
  /** Resolves when so many have come in. */
  until(number: string, calls: number): Promise<void>
  /** Says busy to all that still ring, and to all that come from now on. */
  letGo(): void
}

/** The far end of a trunk: it lets some numbers ring for ever, and says of all others that they are busy. */
export async function startExchange(ringsForEver: (number: string) => boolean): Promise<Exchange> {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  const ringing: (() => void)[] = []
  let isOver = false
  let arrived = () => {}
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')

  socket.on('message', (bytes, from) => {
    const text = bytes.toString()
    const [, method = '', number = ''] = /^(\w+) sip:([^@;\s]*)@/.exec(text) ?? []
    const answer = (status: string, sequence?: string) =>
      socket.send(answerTo(text, status, sequence), from.port, from.address)
    const callId = /^Call-ID: *(.+)$/im.exec(text)?.[1] ?? ''
    if (method === 'CANCEL') {
      answer('200 OK')
      return answer('487 Request Terminated', '1 INVITE')
    }
    if (method !== 'INVITE' || seen.has(callId)) return
    seen.add(callId)
    counts.set(number, (counts.get(number) ?? 0) + 1)
    if (isOver || !ringsForEver(number)) answer('486 Busy Here')
    else {
      answer('180 Ringing')
      ringing.push(() => answer('486 Busy Here'))
    }
    arrived()
  })

  const calls = (number: string) => counts.get(number) ?? 0
  return {
    port: socket.address().port,
    calls,
    async until(number, expected) {
      while (calls(number) < expected) await new Promise<void>((resolve) => (arrived = resolve))
    },
    letGo() {
      isOver = true
      for (const end of ringing) end()
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve))
    },
  }
}

function answerTo(request: string, status: string, sequence?: string): string {
  const header = (name: string) => new RegExp(`^${name}: *(.+)$`, 'im').exec(request)?.[1] ?? ''
  return [
    `SIP/2.0 ${status}`,
    `Via: ${header('Via')}`,
    `From: ${header('From')}`,
    `To: ${header('To')};tag=far`,
    `Call-ID: ${header('Call-ID')}`,
    `CSeq: ${sequence ?? header('CSeq')}`,
    'Contact: <sip:far@127.0.0.1>',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}
