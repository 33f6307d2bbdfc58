import { long, notAmqp, octet, short } from './fields.ts'

export const frameTypes = { method: 1, header: 2, body: 3, heartbeat: 8 } as const
type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

export interface Frame {
  readonly type: FrameType
  readonly channel: number
  readonly payload: Buffer
}

/** The longest frame that we send and take, all of it: what RabbitMQ offers by itself. */
export const longestFrame = 131_072

/** Type, channel and size before the payload, and one octet behind it. */
export const frameOverhead = 8
const prefixSize = 7
const endOctet = 0xce

export function encodeFrame({ type, channel, payload }: Frame): Buffer {
  return Buffer.concat([octet(type), short(channel), long(payload.length), payload, octet(endOctet)])
}

/** Frames out of chunks, however these were cut. */
export async function* framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame, void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let frame = firstOf(rest); frame; frame = firstOf(rest)) {
      rest = rest.subarray(frame.payload.length + frameOverhead)
      yield frame
    }
  }
}

function firstOf(bytes: Buffer): Frame | undefined {
  if (bytes.length === 0) return undefined
  const type = Object.values(frameTypes).find((known) => known === bytes[0]) ?? notAmqp()
  if (bytes.length < prefixSize) return undefined
  const size = bytes.readUInt32BE(3)
  if (size > longestFrame - frameOverhead) notAmqp()
  const end = prefixSize + size
  if (bytes.length <= end) return undefined
  if (bytes[end] !== endOctet) notAmqp()
  return { type, channel: bytes.readUInt16BE(1), payload: bytes.subarray(prefixSize, end) }
}
