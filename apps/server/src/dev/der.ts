/** Encodes a DER value. This file covers only the ASN.1 types that a certificate needs. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 128) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 255 ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const setOf = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
/** A positive integer, from its big-endian bytes. */
export const integer = (bytes: Uint8Array) =>
  der(0x02, (bytes[0] ?? 0) > 127 ? Buffer.from([0]) : Buffer.alloc(0), bytes)
export const boolean = (value: boolean) => der(0x01, Buffer.from([value ? 0xff : 0]))
export const octets = (bytes: Uint8Array) => der(0x04, bytes)
export const bits = (bytes: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), bytes)
export const text = (value: string) => der(0x0c, Buffer.from(value))
/** `[n]`: explicit tagging, and implicit by `inPlace`. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]) => der(0xa0 | number, ...parts)
export const inPlace = (number: number, bytes: Uint8Array) => der(0x80 | number, bytes)

/** An object identifier such as `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest.flatMap(inSevens)]
  return der(0x06, Buffer.from(bytes))
}

function inSevens(number: number): number[] {
  const digits = [number & 0x7f]
  for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

/** UTCTime, or GeneralizedTime from 2050 on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}
