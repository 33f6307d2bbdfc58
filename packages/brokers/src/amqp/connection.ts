import type { Socket } from 'node:net'
import { Failure } from '@icosa/kernel'
import { long, longText, octet, short, shortText, table } from './fields.ts'
import { type Frame, framesOf, longestFrame } from './frames.ts'
import { type Method, methodFrame, methodOf, methods } from './methods.ts'

/** The only channel that we open. */
export const channel = 1

/** An open connection with one open channel. */
export interface Connection {
  readonly host: string
  /** The longest frame that both sides take. */
  readonly frameMax: number
  send(...frames: readonly Buffer[]): void
  next(): Promise<Frame>
  /** Waits for one of these methods and skips others. That the broker closes, instead, is a failure in its words. */
  hear(...ids: readonly number[]): Promise<Method>
  /** Says goodbye as the protocol wants it, as far as the broker still listens. */
  close(): Promise<void>
}

/** From the first greeting to an open channel. */
export async function openConnection(socket: Socket, url: URL): Promise<Connection> {
  const talk = talkOver(socket, url.host)
  const { send, hear } = talk
  send(Buffer.from('AMQP\x00\x00\x09\x01', 'latin1'))
  logIn(talk, url, await hear(methods.connectionStart))
  const { fields } = await hear(methods.connectionTune)
  const channelMax = fields.short()
  const frameMax = Math.min(fields.long() || longestFrame, longestFrame) // 0: the broker does not mind
  const heartbeat = short(0) // none: a connection lives for one message
  send(methodFrame(0, methods.connectionTuneOk, short(channelMax), long(frameMax), heartbeat))
  const vhost = decodeURIComponent(url.pathname.slice(1)) || '/'
  send(methodFrame(0, methods.connectionOpen, shortText(vhost), shortText(''), octet(0)))
  await hear(methods.connectionOpenOk)
  send(methodFrame(channel, methods.channelOpen, shortText('')))
  await hear(methods.channelOpenOk)
  return { ...talk, frameMax, close: () => close(talk) }
}

type Talk = Omit<Connection, 'frameMax' | 'close'>

function talkOver(socket: Socket, host: string): Talk {
  const frames = framesOf(socket)
  const send: Talk['send'] = (...sent) => void socket.write(Buffer.concat(sent))
  const next: Talk['next'] = async () => {
    const { value: frame } = await frames.next()
    return frame ?? hungUp(host)
  }
  const hear: Talk['hear'] = async (...ids) => {
    for (;;) {
      const method = methodOf(await next())
      if (!method) continue
      if (ids.includes(method.id)) return method
      if (method.id === methods.connectionClose || method.id === methods.channelClose) {
        const isAll = method.id === methods.connectionClose
        send(methodFrame(method.channel, isAll ? methods.connectionCloseOk : methods.channelCloseOk))
        refused(host, method)
      }
    }
  }
  return { host, send, next, hear }
}

function logIn({ host, send }: Talk, { username, password }: URL, { fields }: Method): void {
  fields.short() // the version: whoever speaks another one has hung up already
  fields.table()
  const mechanisms = fields.longText()
  if (!mechanisms.split(' ').includes('PLAIN'))
    throw new Failure('unavailable', `The broker at ${host} takes ${mechanisms} only: let it take PLAIN, too.`)
  const user = decodeURIComponent(username) || 'guest'
  const secret = username ? decodeURIComponent(password) : 'guest'
  // Without this a broker hangs up on a wrong password and does not say why.
  const properties = table({ product: 'Icosa', capabilities: { authentication_failure_close: true } })
  const response = longText(`\0${user}\0${secret}`)
  send(methodFrame(0, methods.connectionStartOk, properties, shortText('PLAIN'), response, shortText('en_US')))
}

async function close({ send, hear }: Talk): Promise<void> {
  const reason = [short(200), shortText('done'), short(0), short(0)]
  try {
    send(methodFrame(channel, methods.channelClose, ...reason))
    await hear(methods.channelCloseOk)
    send(methodFrame(0, methods.connectionClose, ...reason))
    await hear(methods.connectionCloseOk)
  } catch {
    // What became of the message is known by now: a goodbye that fails changes nothing.
  }
}

const advice: Readonly<Record<number, string>> = {
  403: 'Check user, password and what they may do.',
  404: 'Declare it there.',
  530: 'Check the virtual host, the path of the address, and who may use it.',
}

function refused(host: string, { fields }: Method): never {
  const code = fields.short()
  const text = fields.shortText()
  throw new Failure('unavailable', `The broker at ${host} refused: ${text}. ${advice[code] ?? ''}`.trim())
}

function hungUp(host: string): never {
  throw new Failure('unavailable', `The broker at ${host} hung up before it had taken the message.`)
}
