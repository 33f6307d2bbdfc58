/** A serialized model: a JSON header, then arrays of numbers, each aligned to 8 bytes. */
const magic = 'ICOSALU1'

type Numbers = Float32Array | Int32Array | Uint32Array | Int8Array
const makers = { f32: Float32Array, i32: Int32Array, u32: Uint32Array, i8: Int8Array } as const
type Kind = keyof typeof makers

interface Place {
  kind: Kind
  at: number
  count: number
}

const kindOf = (numbers: Numbers): Kind =>
  numbers instanceof Float32Array
    ? 'f32'
    : numbers instanceof Int32Array
      ? 'i32'
      : numbers instanceof Uint32Array
        ? 'u32'
        : 'i8'
const rounded = (length: number): number => Math.ceil(length / 8) * 8

/** Collects arrays; the header refers to each by its index. */
export class Arrays {
  readonly list: Numbers[] = []

  add(numbers: Numbers): number {
    return this.list.push(numbers) - 1
  }
}

export function pack(header: unknown, arrays: Arrays): Uint8Array {
  let at = 0
  const places = arrays.list.map((numbers): Place => {
    const place = { kind: kindOf(numbers), at, count: numbers.length }
    at += rounded(numbers.byteLength)
    return place
  })
  const text = new TextEncoder().encode(JSON.stringify({ header, places }))
  const begin = rounded(magic.length + 4 + text.length)
  const bytes = new Uint8Array(begin + at)
  bytes.set(new TextEncoder().encode(magic))
  new DataView(bytes.buffer).setUint32(magic.length, text.length, true)
  bytes.set(text, magic.length + 4)
  arrays.list.forEach((numbers, i) => {
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), begin + (places[i]?.at ?? 0))
  })
  return bytes
}

export interface Unpacked<Header> {
  header: Header
  f32(index: number): Float32Array
  i32(index: number): Int32Array
  u32(index: number): Uint32Array
  i8(index: number): Int8Array
}

export function unpack<Header>(packed: Uint8Array): Unpacked<Header> {
  if (new TextDecoder().decode(packed.subarray(0, magic.length)) !== magic) throw new Error('not a trained model')
  // Arrays are views of the bytes, which must be aligned to 8 for that.
  const bytes = packed.byteOffset % 8 === 0 ? packed : packed.slice()
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(magic.length, true)
  const text = new TextDecoder().decode(bytes.subarray(magic.length + 4, magic.length + 4 + length))
  const { header, places } = JSON.parse(text) as { header: Header; places: Place[] }
  const begin = bytes.byteOffset + rounded(magic.length + 4 + length)
  const take = (index: number, kind: Kind): Numbers => {
    const place = places[index]
    if (place?.kind !== kind) throw new Error(`the model has no array ${index} of type ${kind}`)
    return new makers[kind](bytes.buffer as ArrayBuffer, begin + place.at, place.count)
  }
  return {
    header,
    f32: (index) => take(index, 'f32') as Float32Array,
    i32: (index) => take(index, 'i32') as Int32Array,
    u32: (index) => take(index, 'u32') as Uint32Array,
    i8: (index) => take(index, 'i8') as Int8Array,
  }
}
