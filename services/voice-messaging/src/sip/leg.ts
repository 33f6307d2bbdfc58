import { randomBytes } from 'node:crypto'
import { addressIn, type Header, headerOf, headersOf, readUri, type SipResponse, writeMessage } from './message.ts'
import type { Outgoing } from './transaction.ts'
import type { SocketAddress, Wire } from './wire.ts'

/** Common part of the requests of a call. */
export interface Leg {
  readonly callId: string
  readonly from: string
  readonly to: string
  /** Request URI. */
  readonly uri: string
  readonly routes: readonly string[]
  /** First hop. */
  readonly next: SocketAddress
}

export const token = (bytes = 8) => randomBytes(bytes).toString('hex')
export const newBranch = () => `z9hG4bK${token(12)}`

interface Request {
  readonly method: string
  readonly sequence: number
  readonly branch?: string
  readonly headers?: readonly Header[]
  readonly body?: string
}

export function requestOn(
  wire: Wire,
  leg: Leg,
  { method, sequence, branch = newBranch(), headers = [], body }: Request,
): Outgoing {
  const { host, port } = wire.own
  const all: Header[] = [
    ['Via', `SIP/2.0/UDP ${host}:${port};rport;branch=${branch}`],
    ['Max-Forwards', '70'],
    ...leg.routes.map((route): Header => ['Route', route]),
    ['From', leg.from],
    ['To', leg.to],
    ['Call-ID', leg.callId],
    ['CSeq', `${sequence} ${method}`],
    ['User-Agent', 'Icosa'],
    ...headers,
    ...(body === undefined ? [] : ([['Content-Type', 'application/sdp']] as const)),
  ]
  return { packet: writeMessage(`${method} ${leg.uri} SIP/2.0`, all, body), branch, method, to: leg.next }
}

/** Leg of an answered call: with the callee's tag, contact and route set. */
export function answeredLeg(leg: Leg, response: SipResponse): Leg {
  const contact = addressIn(headersOf(response, 'contact')[0] ?? leg.uri)
  const to = headerOf(response, 'to') ?? leg.to
  const routes = headersOf(response, 'record-route').reverse()
  const [first] = routes
  if (first === undefined) return { ...leg, to, uri: contact, routes, next: readUri(contact) ?? leg.next }
  const next = readUri(addressIn(first)) ?? leg.next
  const isLoose = /;\s*lr\b/i.test(first)
  if (isLoose) return { ...leg, to, uri: contact, routes, next }
  return { ...leg, to, uri: addressIn(first), routes: [...routes.slice(1), `<${contact}>`], next } // strict routing (RFC 2543)
}
