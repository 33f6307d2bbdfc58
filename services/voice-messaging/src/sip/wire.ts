import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isResponse, readMessage, type SipRequest, type SipResponse } from './message.ts'

/** Where a packet goes, by name or address. */
export interface SocketAddress {
  readonly host: string
  readonly port: number
}

/** The one socket of a node over which it signals. */
export interface Wire extends AsyncDisposable {
  /** Where others reach us. */
  readonly own: SocketAddress
  /** Our address on the network of the trunk, to which sockets are bound. */
  readonly local: string
  send(packet: Buffer, to: SocketAddress): void
  /** Hears the responses to a request, until the function is called that it answers. */
  expect(branch: string, method: string, hear: (response: SipResponse) => void): () => void
}

export interface WireOptions {
  /** 0: any that is free. */
  readonly port: number
  /** The address that others get from us; by default the one from which `towards` is reached. */
  readonly address?: string | undefined
  readonly towards: SocketAddress
  readonly onRequest: (request: SipRequest, from: SocketAddress) => void
}

export async function openWire({ port, address, towards, onRequest }: WireOptions): Promise<Wire> {
  const local = await addressTowards(towards)
  const socket = await bound(port, local)
  const expected = new Map<string, (response: SipResponse) => void>()
  let isClosed = false
  const key = (branch: string, method: string) => `${branch} ${method}`

  socket.on('message', (packet, from) => {
    const message = readMessage(packet)
    if (!message) return // noise: a keep-alive, a scanner, a broken sender
    if (isResponse(message)) expected.get(key(message.branch, message.method))?.(message)
    else onRequest(message, { host: from.address, port: from.port })
  })
  return {
    local,
    own: { host: address ?? local, port: socket.address().port },
    // A packet that does not go out is a packet that is lost: it is sent again, or time is up.
    send: (packet, to) => void (isClosed || socket.send(packet, to.port, to.host, () => {})),
    expect(branch, method, hear) {
      expected.set(key(branch, method), hear)
      return () => void expected.delete(key(branch, method))
    },
    [Symbol.asyncDispose]: () => {
      isClosed = true // who still repeats something is not heard any more
      return new Promise((resolve) => socket.close(() => resolve()))
    },
  }
}

async function bound(port: number, address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(port, address)
  await once(socket, 'listening') // or throws: the port is taken
  socket.on('error', () => {})
  return socket.unref() // a node that has nothing else to do may end
}

/** Asks the system by which of our addresses it would go there. Nothing is sent. */
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

/** Where a response goes: back, to the port that the request came from or names. */
export function backTo(request: SipRequest, from: SocketAddress): SocketAddress {
  const via = request.headers.find(([name]) => name === 'via')?.[1] ?? ''
  const named = /^SIP\/2\.0\/UDP\s+[^\s;,:]+(?::(\d{1,5}))?/i.exec(via)?.[1]
  const port = /;\s*rport\b/i.test(via) ? from.port : Number(named ?? 5060)
  return { host: from.host, port: port > 0 && port <= 65_535 ? port : from.port }
}
