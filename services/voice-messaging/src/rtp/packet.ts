import { randomBytes, randomInt } from 'node:crypto'

/** Samples of one packet: 20 ms. */
export const frameSamples = 160
export const frameMs = 20
export const headerBytes = 12

/** Random start values of a stream (RFC 3550). */
export interface Numbering {
  readonly source: number
  readonly firstSequence: number
  readonly firstTimestamp: number
}

export const newNumbering = (): Numbering => ({
  source: randomBytes(4).readUInt32BE(),
  firstSequence: randomInt(2 ** 16),
  firstTimestamp: randomInt(2 ** 32),
})

export interface PacketPlace {
  readonly payloadType: number
  /** Number of packets before it. */
  readonly index: number
  /** Number of samples before it, including silence. */
  readonly samples: number
  /** First packet after silence. */
  readonly marked: boolean
}

/** Creates a packet with an empty payload. */
export function packetAt(
  { source, firstSequence, firstTimestamp }: Numbering,
  { payloadType, index, samples, marked }: PacketPlace,
): Buffer {
  const packet = Buffer.alloc(headerBytes + frameSamples)
  packet[0] = 0x80 // version 2
  packet[1] = (marked ? 0x80 : 0) | payloadType
  packet.writeUInt16BE((firstSequence + index) % 2 ** 16, 2)
  packet.writeUInt32BE((firstTimestamp + samples) % 2 ** 32, 4)
  packet.writeUInt32BE(source, 8)
  return packet
}
