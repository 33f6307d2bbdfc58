import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface Exchange extends AsyncDisposable {
  readonly port: number
  /** Number of incoming calls to a phone number. */
  calls(number: string): number
  /** Resolves after a number of incoming calls. */
  until(number: string, calls: number): Promise<void>
  /** Rejects all ringing and further calls as busy. */
  rejectAll(): void
}

/** Remote end of a trunk: some numbers ring forever, all others are busy. */
export async function startExchange(ringsForever: (number: string) => boolean): Promise<Exchange> {
  const counts = new Map<string, number>()
  const callIds = new Set<string>()
  const ringing: (() => void)[] = []
  let isOver = false
  let notify = () => {}
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')

  socket.on('message', (bytes, from) => {
    const text = bytes.toString()
    const [, method = '', number = ''] = /^(\w+) sip:([^@;\s]*)@/.exec(text) ?? []
    const answer = (status: string, sequence?: string) =>
      socket.send(responseTo(text, status, sequence), from.port, from.address)
    const callId = /^Call-ID: *(.+)$/im.exec(text)?.[1] ?? ''
    if (method === 'CANCEL') {
      answer('200 OK')
      return answer('487 Request Terminated', '1 INVITE')
    }
    if (method !== 'INVITE' || callIds.has(callId)) return
    callIds.add(callId)
    counts.set(number, (counts.get(number) ?? 0) + 1)
    if (isOver || !ringsForever(number)) answer('486 Busy Here')
    else {
      answer('180 Ringing')
      ringing.push(() => answer('486 Busy Here'))
    }
    notify()
  })

  const calls = (number: string) => counts.get(number) ?? 0
  return {
    port: socket.address().port,
    calls,
    async until(number, expected) {
      while (calls(number) < expected) await new Promise<void>((resolve) => (notify = resolve))
    },
    rejectAll() {
      isOver = true
      for (const end of ringing) end()
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve))
    },
  }
}

function responseTo(request: string, status: string, sequence?: string): string {
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
