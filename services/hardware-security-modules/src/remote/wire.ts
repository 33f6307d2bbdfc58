/**
 * The protocol by which p11-kit's client uses a PKCS#11 module elsewhere, as it lies on the wire: a byte of version from either
 * side, then frames with a call or its answer. Numbers have their high byte first, those of PKCS#11 have eight.
 */

export interface Frame {
  /** Answers carry the number and the options of their call. */
  readonly code: number
  readonly options: Buffer
  readonly body: Buffer
}

export class MalformedMessage extends Error {}

const headerBytes = 12

/** Takes bytes as they come, and answers frames once they are whole. */
export function frames(maxBytes: () => number): (chunk: Buffer) => Frame[] {
  let held = Buffer.alloc(0)
  let length = 0
  return (chunk) => {
    // It doubles when it is full: joined anew for every chunk, megabytes that come in single bytes would be copied as terabytes.
    if (length + chunk.length > held.length)
      held = Buffer.concat([held.subarray(0, length)], 2 * (length + chunk.length))
    length += chunk.copy(held, length)
    const whole: Frame[] = []
    let at = 0
    while (length - at >= headerBytes) {
      const [code, options, body] = [0, 4, 8].map((offset) => held.readUInt32BE(at + offset)) as [
        number,
        number,
        number,
      ]
      if (options + body > maxBytes()) throw new MalformedMessage('the frame is too large')
      const split = at + headerBytes + options
      if (length < split + body) break
      whole.push({ code, options: held.subarray(at + headerBytes, split), body: held.subarray(split, split + body) })
      at = split + body
    }
    if (at > 0) {
      held = Buffer.from(held.subarray(at, length)) // frames keep the memory that they are in
      length = held.length
    }
    return whole
  }
}

export function toBytes({ code, options, body }: Frame): Buffer {
  const header = Buffer.alloc(headerBytes)
  for (const [index, value] of [code, options.length, body.length].entries()) header.writeUInt32BE(value, index * 4)
  return Buffer.concat([header, options, body])
}

const none = 0xffffffff

/** Reads what a call was given, one after the other. Throws where the message ends too soon. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(count: number): Buffer {
    if (count > this.left) throw new MalformedMessage('the message ends too soon')
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  byte(): number {
    return this.take(1).readUInt8()
  }

  short(): number {
    return this.take(4).readUInt32BE()
  }

  number(): number {
    const value = this.take(8).readBigUInt64BE()
    return value > Number.MAX_SAFE_INTEGER ? -1 : Number(value)
  }

  text(): Buffer {
    const length = this.short()
    return length === none ? Buffer.alloc(0) : this.take(length)
  }

  /** An array of bytes that may be missing. */
  bytes(): Buffer {
    if (this.byte() === 1) return this.text()
    this.short()
    return Buffer.alloc(0)
  }
}

/** Writes what a call answers. */
export class Writer {
  readonly #parts: Buffer[] = []

  byte(value: number): this {
    this.#parts.push(Buffer.of(value))
    return this
  }

  short(value: number): this {
    const part = Buffer.alloc(4)
    part.writeUInt32BE(value)
    this.#parts.push(part)
    return this
  }

  number(value: number): this {
    const part = Buffer.alloc(8)
    part.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)))
    this.#parts.push(part)
    return this
  }

  text(value: Uint8Array): this {
    this.short(value.length)
    this.#parts.push(Buffer.from(value))
    return this
  }

  /** Text in so many characters, with spaces at its end. */
  padded(value: string, length: number): this {
    const bytes = Buffer.alloc(length, ' ')
    bytes.write(value, 'utf8')
    return this.text(bytes)
  }

  version(major: number, minor: number): this {
    return this.byte(major).byte(minor)
  }

  /** Bytes, or only how many they are if the caller has too little room for them. */
  bytes(value: { readonly length: number } | Uint8Array, room: number): this {
    if (value instanceof Uint8Array && value.length <= room) return this.byte(1).text(value)
    return this.byte(0).short(value.length)
  }

  numbers(values: readonly number[], room: number): this {
    const fits = values.length <= room
    this.byte(fits ? 1 : 0).short(values.length)
    if (fits) for (const value of values) this.number(value)
    return this
  }

  /** How long it is of which the length alone is told. */
  absent(): this {
    return this.short(none)
  }

  toBytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** How much room a caller has for an answer; none if it only asks how long that is. */
export function roomOf(reader: Reader): number {
  const room = reader.short()
  return room === none ? 0 : room
}
