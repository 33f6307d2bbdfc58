import { Failure } from '@icosa/kernel'

/** A table of AMQP: names with values. */
export interface Table {
  readonly [name: string]: string | number | boolean | Table
}

export const octet = (value: number) => Buffer.of(value)

export function short(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function long(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function longLong(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** Names are such texts. */
export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 255)
    throw new Failure(
      'invalid',
      `AMQP has room for 255 bytes in a name, and ${bytes.length} are in ${text}: use shorter names.`,
    )
  return Buffer.concat([octet(bytes.length), bytes])
}

export function longText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([long(bytes.length), bytes])
}

export function table(values: Table): Buffer {
  const entries = Object.entries(values).flatMap(([name, value]) => [shortText(name), tagged(value)])
  const bytes = Buffer.concat(entries)
  return Buffer.concat([long(bytes.length), bytes])
}

function tagged(value: Table[string]): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), longText(value)])
  if (typeof value === 'boolean') return Buffer.concat([Buffer.from('t'), octet(value ? 1 : 0)])
  if (typeof value === 'number') return Buffer.concat([Buffer.from('l'), longLong(value)])
  return Buffer.concat([Buffer.from('F'), table(value)])
}

export type Reader = ReturnType<typeof readerOf>

/** Reads field by field what a broker sent. What is cut short is a failure of the broker. */
export function readerOf(bytes: Buffer) {
  let at = 0
  const take = (size: number) => {
    if (at + size > bytes.length) notAmqp()
    at += size
    return bytes.subarray(at - size, at)
  }
  const octet = () => take(1).readUInt8()
  const short = () => take(2).readUInt16BE()
  const long = () => take(4).readUInt32BE()
  return {
    octet,
    short,
    long,
    longLong: () => take(8).readBigUInt64BE(),
    shortText: () => textOf(take(octet())),
    longText: () => textOf(take(long())),
    /** A table as it came. */
    table: () => take(long()),
    isAtEnd: () => at === bytes.length,
  }
}

/** What brokers say ends in the history, and PostgreSQL keeps no NUL in text. */
const textOf = (bytes: Buffer) => bytes.toString().replaceAll('\0', '\u{fffd}')

export function notAmqp(): never {
  throw new Failure('unavailable', 'What answered does not speak AMQP 0-9-1: check the address of the broker.')
}
