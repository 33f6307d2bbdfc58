import { randomInt } from 'node:crypto'
import type { Credentials } from './digest.ts'
import { type Leg, token } from './leg.ts'
import { type Header, headerOf, type SipRequest, writeMessage } from './message.ts'
import { type CallDependencies, type CallResult, placeCall } from './outgoing-call.ts'
import { offer } from './sdp.ts'
import { defaultTiming, type Timing } from './transaction.ts'
import { backTo, openWire, type SocketAddress } from './wire.ts'

export interface Trunk extends SocketAddress {
  readonly credentials?: Credentials | undefined
  /** Domain of caller and callee; the host by default. */
  readonly domain?: string | undefined
}

export interface AgentOptions {
  readonly trunk: Trunk
  /** Local port. */
  readonly port: number
  /** Address announced to others. */
  readonly address?: string | undefined
  readonly timing?: Timing
}

export interface CallRequest {
  readonly number: string
  /** Number shown to the callee. */
  readonly caller: string
  /** Number that the call is placed from. */
  readonly owner: string
  /** Local RTP port. */
  readonly mediaPort: number
  readonly ringMs: number
  readonly signal: AbortSignal
  readonly onRinging: () => void
}

/** A user agent for outgoing calls only. */
export interface Agent extends AsyncDisposable {
  /** Announced address and port. */
  readonly own: SocketAddress
  /** Local address towards the trunk. */
  readonly local: string
  call(request: CallRequest): Promise<CallResult>
}

const allowed = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO'

export async function openAgent({ trunk, port, address, timing = defaultTiming }: AgentOptions): Promise<Agent> {
  const dialogs = new Map<string, () => void>()
  const ownTag = token()
  const domain = trunk.domain ?? trunk.host

  const wire = await openWire({ port, address, towards: trunk, onRequest: respond })

  function respond(request: SipRequest, from: SocketAddress): void {
    if (request.method === 'ACK') return
    const end = dialogs.get(keyOf(request.callId, request.toTag, request.fromTag))
    const [status, reason] = responseTo(request, end !== undefined)
    if (request.method === 'BYE') end?.()
    wire.send(responsePacket(request, status, reason, ownTag), backTo(request, from))
  }

  const dependencies: CallDependencies = {
    wire,
    timing,
    credentials: trunk.credentials,
    listen(leg, ended) {
      const key = keyOf(leg.callId, tagIn(leg.from), tagIn(leg.to))
      dialogs.set(key, ended)
      return () => void dialogs.delete(key)
    },
  }
  const addressOf = (number: string) => `<sip:${number}@${domain};user=phone>`

  return {
    own: wire.own,
    local: wire.local,
    call({ number, caller, owner, mediaPort, ringMs, signal, onRinging }) {
      const { host, port: ownPort } = wire.own
      const leg: Leg = {
        callId: `${token(12)}@${host}`,
        from: `${addressOf(caller)};tag=${token()}`,
        to: addressOf(number),
        uri: `sip:${number}@${domain};user=phone`,
        routes: [],
        next: trunk,
      }
      const headers: Header[] = [
        ['Contact', `<sip:${trunk.credentials?.user ?? 'icosa'}@${host}:${ownPort}>`],
        ['Allow', allowed],
        ['P-Asserted-Identity', addressOf(owner)],
      ]
      const description = offer(host, mediaPort, randomInt(2 ** 31))
      return placeCall(dependencies, { leg, headers, offer: description, ringMs, signal, onRinging })
    },
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  }
}

const keyOf = (callId: string, localTag: string | undefined, remoteTag: string | undefined) =>
  `${callId} ${localTag} ${remoteTag}`

const tagIn = (value: string) => /;\s*tag\s*=\s*([^;,\s]+)/i.exec(value)?.[1]

/** Responses to requests: incoming calls and changes of a call are refused. */
function responseTo({ method, toTag }: SipRequest, isInDialog: boolean): readonly [number, string] {
  if (method === 'OPTIONS') return [200, 'OK']
  if (isInDialog && (method === 'BYE' || method === 'INFO')) return [200, 'OK']
  if (isInDialog && method === 'INVITE') return [488, 'Not Acceptable Here']
  if (toTag !== undefined || method === 'CANCEL' || method === 'BYE') return [481, 'Call/Transaction Does Not Exist']
  return method === 'INVITE' ? [403, 'Forbidden'] : [405, 'Method Not Allowed']
}

function responsePacket(request: SipRequest, status: number, reason: string, ownTag: string): Buffer {
  const to = headerOf(request, 'to') ?? ''
  const headers: Header[] = [
    ...request.headers.filter(([name]) => name === 'via').map(([, value]): Header => ['Via', value]),
    ['From', headerOf(request, 'from') ?? ''],
    ['To', request.toTag === undefined ? `${to};tag=${ownTag}` : to],
    ['Call-ID', request.callId],
    ['CSeq', `${request.sequence} ${request.method}`],
    ['Allow', allowed],
  ]
  return writeMessage(`SIP/2.0 ${status} ${reason}`, headers)
}
