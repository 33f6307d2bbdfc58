/** Encodes a Protocol Buffers message, with the field types that ONNX needs. */
export class Message {
  readonly #parts: Uint8Array[] = []

  whole(field: number, value: number): this {
    this.#parts.push(varint(field * 8), varint(value))
    return this
  }

  real(field: number, value: number): this {
    this.#parts.push(varint(field * 8 + 5), bytesOf(Float32Array.of(value)))
    return this
  }

  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(varint(field * 8 + 2), varint(value.length), value)
    return this
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value))
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.encoded())
  }

  encoded(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}

/** Negative numbers take ten bytes, as 64-bit integers. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Uint8Array.of(...bytes, Number(rest))
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
