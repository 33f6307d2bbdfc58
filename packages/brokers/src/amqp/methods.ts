import { long, type Reader, readerOf } from './fields.ts'
import { encodeFrame, type Frame, frameTypes } from './frames.ts'

const id = (classId: number, methodId: number) => classId * 65_536 + methodId

/** The methods that publishing takes, by class and number. */
export const methods = {
  connectionStart: id(10, 10),
  connectionStartOk: id(10, 11),
  connectionTune: id(10, 30),
  connectionTuneOk: id(10, 31),
  connectionOpen: id(10, 40),
  connectionOpenOk: id(10, 41),
  connectionClose: id(10, 50),
  connectionCloseOk: id(10, 51),
  channelOpen: id(20, 10),
  channelOpenOk: id(20, 11),
  channelClose: id(20, 40),
  channelCloseOk: id(20, 41),
  exchangeDeclare: id(40, 10),
  exchangeDeclareOk: id(40, 11),
  basicPublish: id(60, 40),
  basicReturn: id(60, 50),
  basicAck: id(60, 80),
  basicNack: id(60, 120),
  confirmSelect: id(85, 10),
  confirmSelectOk: id(85, 11),
} as const

export const basicClass = 60

/** A method that came, with its fields still to be read. */
export interface Method {
  readonly id: number
  readonly channel: number
  readonly fields: Reader
}

export function methodFrame(channel: number, method: number, ...fields: readonly Buffer[]): Buffer {
  return encodeFrame({ type: frameTypes.method, channel, payload: Buffer.concat([long(method), ...fields]) })
}

/** Nothing where a frame is content or a heartbeat. */
export function methodOf({ type, channel, payload }: Frame): Method | undefined {
  if (type !== frameTypes.method) return undefined
  const fields = readerOf(payload)
  return { id: fields.long(), channel, fields }
}
