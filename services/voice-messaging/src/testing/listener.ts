import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { frameSamples } from '../rtp/packet.ts'
import { aLaw, muLaw } from '../speech/g711.ts'

export interface ReceivedPacket {
  readonly source: number
  readonly payloadType: number
  readonly sequence: number
  readonly timestamp: number
  readonly marked: boolean
  readonly payload: Buffer
  readonly arrivedMs: number
}

/** Opens a port that records RTP packets. */
export async function startListener() {
  const packets: ReceivedPacket[] = []
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 }).bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('message', (packet) => {
    if (packet.length < 12 || packet[0] !== 0x80) throw new Error('This is not RTP.')
    packets.push({
      source: packet.readUInt32BE(8),
      payloadType: (packet[1] ?? 0) & 0x7f,
      marked: ((packet[1] ?? 0) & 0x80) !== 0,
      sequence: packet.readUInt16BE(2),
      timestamp: packet.readUInt32BE(4),
      payload: packet.subarray(12),
      arrivedMs: performance.now(),
    })
  })
  return {
    port: socket.address().port,
    packets,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve))
    },
  }
}

/** Decodes packets by their timestamps, with silence in gaps. */
export function soundOf(packets: readonly ReceivedPacket[]): Int16Array {
  const [first] = packets
  if (!first) return new Int16Array()
  const offset = ({ timestamp }: ReceivedPacket) => (timestamp - first.timestamp + 2 ** 32) % 2 ** 32
  const length = packets.reduce((max, packet) => Math.max(max, offset(packet) + packet.payload.length), 0)
  const sound = new Int16Array(length)
  for (const packet of packets) {
    const law = packet.payloadType === 8 ? aLaw : muLaw
    packet.payload.forEach((byte, at) => {
      sound[offset(packet) + at] = law.decode(byte)
    })
  }
  return sound
}

/** Decodes packets without the gaps that a busy machine leaves. */
export const speechIn = (packets: readonly ReceivedPacket[]) =>
  soundOf(packets.map((packet, index) => ({ ...packet, timestamp: index * frameSamples })))

/** Median interval between packets: a busy machine delays some, and the next follow in a burst. */
export function paceMs(packets: readonly Pick<ReceivedPacket, 'arrivedMs'>[]): number {
  const pauses = packets.slice(1).map(({ arrivedMs }, index) => arrivedMs - (packets[index]?.arrivedMs ?? 0))
  return pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? Number.NaN
}

export const loudness = (sound: Int16Array) =>
  Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, sound.length))
