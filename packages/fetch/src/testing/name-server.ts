import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { ipv6Groups } from '../address.ts'

export interface DnsAnswer {
  /** A CNAME before the addresses. */
  readonly alias?: string
  /** Both families; each query gets its own. */
  readonly addresses: readonly string[]
}

/** Answers the `turn`th query for a name, from 0. */
export type Zone = (name: string, turn: number) => DnsAnswer | 'silence' | undefined

export interface NameServer {
  readonly address: string
  /** Number of queries, by `A name` or `AAAA name`. */
  readonly queries: ReadonlyMap<string, number>
  close(): void
}

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])
const SAME_NAME = Buffer.from([0xc0, 12])

/** A DNS server on loopback that answers by zone, possibly differently at each query. */
export async function nameServer(zone: Zone): Promise<NameServer> {
  const queries = new Map<string, number>()
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const question = `${TYPES.get(type)} ${name}`
    const turn = queries.get(question) ?? 0
    queries.set(question, turn + 1)
    const entry = zone(name, turn)
    if (entry !== 'silence') socket.send(answerTo(query.subarray(0, end), type, entry), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, queries, close: () => void socket.close() }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question: Buffer, type: number, answer: DnsAnswer | undefined): Buffer {
  const alias = answer?.alias === undefined ? undefined : nameBytes(answer.alias)
  const addresses = (answer?.addresses ?? []).filter((address) => isIPv4(address) === (type === 1)).map(addressBytes)
  const records = addresses.map((address) => record(alias ?? SAME_NAME, type, address))
  if (alias !== undefined) records.unshift(record(SAME_NAME, 5, alias))
  const message = Buffer.concat([question, ...records])
  message.writeUInt16BE(answer === undefined ? 0x8183 : 0x8180, 2)
  message.writeUInt16BE(records.length, 6)
  message.fill(0, 8, 12)
  return message
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

function nameBytes(name: string): Buffer {
  return Buffer.concat(
    [...name.split('.'), ''].map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
  )
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  return Buffer.from(
    ipv6Groups(address)
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  )
}
