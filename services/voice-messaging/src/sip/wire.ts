import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isResponse, readMessage, type SipRequest, type SipResponse } from './message.ts'

/** Host name or address, and port. */
export interface SocketAddress {
  readonly host: string
  readonly port: number
}

/** A node's SIP socket. */
export interface Wire extends AsyncDisposable {
  /** Announced address and port. */
  readonly own: SocketAddress
  /** Local address towards the trunk, to which sockets are bound. */
  readonly local: string
  send(packet: Buffer, to: SocketAddress): void
  /** Registers a listener for the responses to a request. Returns a function that removes it. */
  expect(branch: string, method: string, onResponse: (response: SipResponse) => void): () => void
}

export interface WireOptions {
  /** 0: any free port. */
  readonly port: number
  /** Announced address; by default the local address towards `towards`. */
  readonly address?: string | undefined
  readonly towards: SocketAddress
  readonly onRequest: (request: SipRequest, from: SocketAddress) => void
}

export async function openWire({ port, address, towards, onRequest }: WireOptions): Promise<Wire> {
  const local = await addressTowards(towards)
  const socket = await bindSocket(port, local)
  const expected = new Map<string, (response: SipResponse) => void>()
  let isClosed = false
  const key = (branch: string, method: string) => `${branch} ${method}`

  socket.on('message', (packet, from) => {
    const message = readMessage(packet)
    if (!message) return // a keep-alive, a scanner or a broken sender
    if (isResponse(message)) expected.get(key(message.branch, message.method))?.(message)
    else onRequest(message, { host: from.address, port: from.port })
  })
  return {
    local,
    own: { host: address ?? local, port: socket.address().port },
    // Send errors are packet loss: retransmissions and timeouts handle them.
    send: (packet, to) => void (isClosed || socket.send(packet, to.port, to.host, () => {})),
    expect(branch, method, onResponse) {
      expected.set(key(branch, method), onResponse)
      return () => void expected.delete(key(branch, method))
    },
    [Symbol.asyncDispose]: () => {
      isClosed = true // ignores further retransmissions
      return new Promise((resolve) => socket.close(() => resolve()))
    },
  }
}

async function bindSocket(port: number, address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, address)
  await once(socket, 'listening') // throws if the port is in use
  socket.on('error', () => {})
  return socket.unref() // does not keep the node alive
}

/** Returns the local address of the route to a host, without sending anything. */
async function addressTowards({ host, port }: SocketAddress): Promise<string> {
  const probe = createSocket('udp4')
  try {
    probe.connect(port, host)
    await once(probe, 'connect')
    return probe.address().address
  } finally {
    probe.close()
  }
}

/** Destination of a response (RFC 3581): the source port, or that of Via. */
export function backTo(request: SipRequest, from: SocketAddress): SocketAddress {
  const via = request.headers.find(([name]) => name === 'via')?.[1] ?? ''
  const viaPort = /^SIP\/2\.0\/UDP\s+[^\s;,:]+(?::(\d{1,5}))?/i.exec(via)?.[1]
  const port = /;\s*rport\b/i.test(via) ? from.port : Number(viaPort ?? 5060)
  return { host: from.host, port: port > 0 && port <= 65_535 ? port : from.port }
}
