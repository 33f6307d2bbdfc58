import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

/** Relays packets between a caller and a phone, losing some and injecting others. */
export async function startRelay(phonePort: () => number, isLost: (text: string, copies: number) => boolean) {
  const [outer, inner] = [createSocket('udp4'), createSocket('udp4')]
  const packets: string[] = []
  const copies = new Map<string, number>()
  let caller: RemoteInfo | undefined
  for (const socket of [outer, inner]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  const passes = (packet: Buffer) => {
    const text = packet.toString()
    const count = (copies.get(text) ?? 0) + 1
    copies.set(text, count)
    packets.push(text)
    return !isLost(text, count)
  }
  outer.on('message', (packet, from) => {
    caller = from
    if (passes(packet)) inner.send(packet, phonePort(), '127.0.0.1')
  })
  inner.on('message', (packet) => {
    if (caller && passes(packet)) outer.send(packet, caller.port, caller.address)
  })
  return {
    port: outer.address().port,
    packets,
    /** Sends a packet to the caller. */
    inject: (packet: Buffer | string) => caller && outer.send(packet, caller.port, caller.address),
    async [Symbol.asyncDispose]() {
      for (const socket of [outer, inner]) await new Promise<void>((resolve) => socket.close(resolve))
    },
  }
}
