import { bytesOf, Message } from './protobuf.ts'

/** ONNX tensor types. */
export const tensorType = { float: 1, uint8: 2, int64: 7 } as const

/** Numbers are integers, except in `realAttributes`. */
type Attribute = number | readonly number[] | string
const realAttributes: ReadonlySet<string> = new Set(['alpha'])

/** Dimensions of a tensor; a name where it is only known at run time. */
export type Shape = readonly (number | string)[]

/** Builds an ONNX graph. Nodes are added in order of execution. */
export class Graph {
  readonly #message = new Message()
  readonly #ports: { readonly field: number; readonly info: Message }[] = []
  #names = 0

  /** Converts pixels from NHWC bytes to scaled NCHW floats. Without a `side`, images of any size. */
  image(side: number | undefined, scale: { readonly mean: readonly number[]; readonly by: number }): string {
    const shape = ['n', side ?? 'height', side ?? 'width', 3]
    this.#ports.push({ field: 11, info: valueInfo('image', tensorType.uint8, shape) })
    const planes = this.node('Transpose', [this.node('Cast', ['image'], { to: tensorType.float })], {
      perm: [0, 3, 1, 2],
    })
    const centred = this.node('Sub', [
      planes,
      this.numbers(Float32Array.from(scale.mean), [1, scale.mean.length, 1, 1]),
    ])
    return this.node('Mul', [centred, this.number(scale.by)])
  }

  numbers(data: Float32Array, shape: readonly number[]): string {
    return this.#constant(tensorType.float, bytesOf(data), shape)
  }

  number(value: number): string {
    return this.numbers(Float32Array.of(value), [])
  }

  wholes(...values: number[]): string {
    return this.#constant(tensorType.int64, bytesOf(BigInt64Array.from(values, BigInt)), [values.length])
  }

  node(type: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}, name?: string) {
    const output = name ?? this.#name()
    const node = new Message()
    for (const input of inputs) node.text(1, input)
    node.text(2, output).text(4, type)
    for (const [key, value] of Object.entries(attributes)) node.message(5, attributeOf(key, value))
    this.#message.message(1, node)
    return output
  }

  /** Declares an output of the network. */
  output(name: string, from: string, shape: Shape): void {
    this.node('Identity', [from], {}, name)
    this.#ports.push({ field: 12, info: valueInfo(name, tensorType.float, shape) })
  }

  /** Encodes the file. */
  encoded(name: string): Uint8Array {
    this.#message.text(2, name)
    for (const { field, info } of this.#ports) this.#message.message(field, info)
    const operators = new Message().text(1, '').whole(2, 17)
    return new Message().whole(1, 8).text(2, 'icosa').message(7, this.#message).message(8, operators).encoded()
  }

  #constant(type: number, data: Uint8Array, shape: readonly number[]): string {
    const name = this.#name()
    const tensor = new Message()
    for (const size of shape) tensor.whole(1, size)
    this.#message.message(5, tensor.whole(2, type).text(8, name).bytes(9, data))
    return name
  }

  #name = () => `v${this.#names++}`
}

function attributeOf(name: string, value: Attribute): Message {
  const message = new Message().text(1, name)
  if (typeof value === 'string') return message.text(4, value).whole(20, 3)
  if (typeof value !== 'number') {
    for (const item of value) message.whole(8, item)
    return message.whole(20, 7)
  }
  return realAttributes.has(name) ? message.real(2, value).whole(20, 1) : message.whole(3, value).whole(20, 2)
}

function valueInfo(name: string, type: number, sizes: Shape): Message {
  const shape = new Message()
  for (const size of sizes)
    shape.message(1, typeof size === 'number' ? new Message().whole(1, size) : new Message().text(2, size))
  const tensor = new Message().whole(1, type).message(2, shape)
  return new Message().text(1, name).message(2, new Message().message(1, tensor))
}
