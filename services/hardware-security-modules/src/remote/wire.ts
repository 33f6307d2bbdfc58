/**
 * Wire format of p11-kit's remoting protocol: a version byte from either side, then frames with a call or its answer.
 * Numbers are big-endian, those of PKCS#11 have eight bytes.
 */

export interface Frame {
  /** Answers repeat code and options of their call. */
  readonly code: number
  readonly options: Buffer
  readonly body: Buffer
}

export class MalformedMessage extends Error {}

const headerBytes = 12

/** Returns a function that buffers chunks and returns complete frames. */
export function frames(maxBytes: () => number): (chunk: Buffer) => Frame[] {
  let buffer = Buffer.alloc(0)
  let length = 0
  return (chunk) => {
    // Doubles when full: concatenation for every chunk would be quadratic.
    if (length + chunk.length > buffer.length)
      buffer = Buffer.concat([buffer.subarray(0, length)], 2 * (length + chunk.length))
    length += chunk.copy(buffer, length)
    const complete: Frame[] = []
    let at = 0
    while (length - at >= headerBytes) {
      const [code, options, body] = [0, 4, 8].map((offset) => buffer.readUInt32BE(at + offset)) as [
        number,
        number,
        number,
      ]
      if (options + body > maxBytes()) throw new MalformedMessage('the frame is too large')
      const split = at + headerBytes + options
      if (length < split + body) break
      complete.push({
        code,
        options: buffer.subarray(at + headerBytes, split),
        body: buffer.subarray(split, split + body),
      })
      at = split + body
    }
    if (at > 0) {
      buffer = Buffer.from(buffer.subarray(at, length)) // frames reference the old buffer
      length = buffer.length
    }
    return complete
  }
}

export function toBytes({ code, options, body }: Frame): Buffer {
  const header = Buffer.alloc(headerBytes)
  for (const [index, value] of [code, options.length, body.length].entries()) header.writeUInt32BE(value, index * 4)
  return Buffer.concat([header, options, body])
}

const none = 0xffffffff

/** Reads the input of a call. Throws if the message ends too early. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get remaining(): number {
    return this.#bytes.length - this.#at
  }

  take(count: number): Buffer {
    if (count > this.remaining) throw new MalformedMessage('the message ends too early')
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

  /** Reads a byte array that may be missing. */
  bytes(): Buffer {
    if (this.byte() === 1) return this.text()
    this.short()
    return Buffer.alloc(0)
  }
}

/** Writes the output of a call. */
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

  /** Writes text padded with spaces. */
  padded(value: string, length: number): this {
    const bytes = Buffer.alloc(length, ' ')
    bytes.write(value, 'utf8')
    return this.text(bytes)
  }

  version(major: number, minor: number): this {
    return this.byte(major).byte(minor)
  }

  /** Writes bytes, or only their length if the caller has too little room. */
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

  /** Marks a value of which only the length is sent. */
  absent(): this {
    return this.short(none)
  }

  toBytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** Reads the size of a caller's buffer; 0 if it only asks for the length. */
export function roomOf(reader: Reader): number {
  const room = reader.short()
  return room === none ? 0 : room
}
