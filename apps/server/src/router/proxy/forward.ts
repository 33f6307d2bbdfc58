import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { RoutedCell } from '../table/table.ts'
import { Refusal } from './refusal.ts'

const connectMs = 2_000
/** Interval of probes, which find cells that vanished without closing their connections. */
const probeMs = 30_000

/** First part of a cell's response. */
export interface Answer {
  readonly response: IncomingMessage
  /** Of a connection that changes its protocol: its socket, and what the cell has sent on it. */
  readonly upgraded?: { readonly socket: Socket; readonly head: Buffer }
}

export interface Outgoing {
  readonly method: string
  readonly path: string
  /** As in `rawHeaders`. */
  readonly headers: readonly string[]
  readonly signal: AbortSignal
  readonly onContinue: () => void
  readonly sendBody: (sending: ClientRequest) => void
}

export interface Forwarder {
  send(cell: RoutedCell, outgoing: Outgoing): Promise<Answer>
  close(): void
}

export function forwarder(): Forwarder {
  const options = { keepAlive: true, keepAliveMsecs: probeMs, maxFreeSockets: 1_000, scheduling: 'lifo' } as const
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }
  const addresses = new Map<string, URL>()
  const addressOf = (url: string) => {
    const parsed = addresses.get(url) ?? new URL(url)
    addresses.set(url, parsed)
    return parsed
  }
  return {
    send(cell, { sendBody, onContinue, signal, ...head }) {
      const { protocol, hostname, port } = addressOf(cell.url)
      const isSecure = protocol === 'https:'
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const sending = (isSecure ? overHttps : overHttp)({
        ...head,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port: port || (isSecure ? 443 : 80),
        agent: agents[isSecure ? 'https:' : 'http:'],
      })
      signal.addEventListener('abort', () => sending.destroy(), { once: true })
      if (signal.aborted) sending.destroy()
      let isConnected = false
      sending.once('socket', (socket) => {
        isConnected = !socket.connecting
        if (isConnected) return
        const timer = setTimeout(() => sending.destroy(new Error('The connection takes too long.')), connectMs)
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          isConnected = true
          clearTimeout(timer)
        })
        socket.once('close', () => clearTimeout(timer))
      })
      sending.on('error', (cause) => {
        const message = isConnected
          ? `The cell ${cell.name} closed the connection. Whether it processed the request is unknown.`
          : `The cell ${cell.name} cannot be reached. Send the request again.`
        const isStale = sending.reusedSocket && (cause as NodeJS.ErrnoException).code === 'ECONNRESET'
        reject(new Refusal(isConnected ? 502 : 503, message, { cause, isStale }))
      })
      sending.once('continue', onContinue)
      sending.once('response', (response) => resolve({ response }))
      sending.once('upgrade', (response, socket, rest) => resolve({ response, upgraded: { socket, head: rest } }))
      sendBody(sending)
      return promise
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
