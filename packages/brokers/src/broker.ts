import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { Failure } from '@icosa/kernel'
import type { PublishOptions } from './message.ts'

const usualPorts: Readonly<Record<string, number>> = { 'nats:': 4222, 'amqp:': 5672, 'amqps:': 5671 }

/** Talks to a broker over a socket that is closed when time is up, and says in words why it could not be had. */
export async function converseWith(
  broker: string,
  { signal, timeoutMs }: PublishOptions,
  converse: (socket: Socket, url: URL) => Promise<void>,
): Promise<void> {
  const url = new URL(broker)
  const socket = open(url)
  // Who reads from the socket hears of its errors. This is for those that come when nobody reads any more.
  socket.on('error', () => {})
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const close = () =>
    socket.destroy(new Failure('unavailable', `The broker at ${url.host} did not answer: is it well?`))
  ending.addEventListener('abort', close, { once: true })
  if (ending.aborted) close()
  try {
    await converse(socket, url)
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(url, error)
  } finally {
    ending.removeEventListener('abort', close)
    socket.destroy()
  }
}

function open(url: URL): Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const address = { host, port: Number(url.port || usualPorts[url.protocol]) }
  if (url.protocol !== 'amqps:') return connect({ ...address, noDelay: true })
  return connectSecurely({ ...address, ...(isIP(host) === 0 && { servername: host }) })
}

function unreachable({ protocol, host }: URL, cause: unknown): Failure {
  const why = cause instanceof Error && protocol === 'amqps:' ? ` over TLS (${cause.message})` : ''
  const what = why ? 'start it, set its address, or let Node trust its authority' : 'start it, or set its address'
  return new Failure('unavailable', `The broker at ${host} cannot be reached${why}: ${what}.`, { cause })
}
