import { FlatBuffer } from './flatbuffer.ts'
import { convolution, type Padding, padded } from './layers.ts'
import { Graph } from './onnx.ts'

/** A feature map or, without a height, rows of numbers. */
interface Value {
  readonly name: string
  readonly height?: number
  readonly width: number
  readonly channels: number
}

interface Constant {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

interface Tensor {
  readonly shape: readonly number[]
  readonly type: number
  readonly buffer: { readonly start: number; readonly length: number }
}

/** An operator of the network: the indices of its tensors, and the offset of its options. */
interface Step {
  readonly inputs: readonly number[]
  readonly output: number
  readonly options: number | undefined
}

export interface Conversion {
  readonly name: string
  /** Normalization of pixel values: `(value - mean) * by`. */
  readonly image: { readonly mean: number; readonly by: number }
  /** Names for the outputs, in the order of the file. */
  readonly outputs: readonly string[]
  /** A fully convolutional network, which accepts any multiple of 32 pixels. */
  readonly isOfAnySize?: boolean
}

/** Converts a TensorFlow Lite network to ONNX. Supports the operators of MediaPipe's face models. */
export function fromTflite(file: Buffer, { name, image, outputs, isOfAnySize = false }: Conversion) {
  const reader = new TfliteReader(file)
  reader.start(image, isOfAnySize)
  for (const { code, step } of reader.steps()) {
    const write = operators[code]
    if (!write) throw new Error(`${name} has an unsupported operator: ${code}`)
    write(reader, step)
  }
  reader.finish(outputs)
  return reader.graph.encoded(name)
}

class TfliteReader {
  readonly graph = new Graph()
  readonly flat: FlatBuffer
  readonly #subgraph: number
  readonly #codes: readonly number[]
  readonly #tensors: readonly Tensor[]
  readonly #values = new Map<number, Value>()
  readonly #constants = new Map<number, Constant>()

  constructor(file: Buffer) {
    const flat = new FlatBuffer(file)
    const model = flat.root()
    const buffers = flat.tables(model, 4).map((buffer) => flat.vector(buffer, 0))
    const [subgraph] = flat.tables(model, 2) as [number]
    this.flat = flat
    this.#subgraph = subgraph
    this.#codes = flat.tables(model, 1).map((code) => Math.max(flat.byte(code, 0), flat.int(code, 3)))
    this.#tensors = flat.tables(subgraph, 0).map((tensor) => ({
      shape: flat.ints(tensor, 0),
      type: flat.byte(tensor, 1),
      buffer: buffers[flat.int(tensor, 2)] as Tensor['buffer'],
    }))
  }

  start({ mean, by }: Conversion['image'], isOfAnySize: boolean): void {
    const [input] = this.flat.ints(this.#subgraph, 1) as [number]
    const side = this.tensor(input).shape[1] as number
    const name = this.graph.image(isOfAnySize ? undefined : side, { mean: [mean], by })
    this.setValue(input, { name, height: side, width: side, channels: 3 })
  }

  *steps(): Iterable<{ readonly code: number; readonly step: Step }> {
    for (const operator of this.flat.tables(this.#subgraph, 3)) {
      const [output] = this.flat.ints(operator, 2) as [number]
      const options = this.flat.table(operator, 4)
      yield {
        code: this.#codes[this.flat.int(operator, 0)] as number,
        step: { inputs: this.flat.ints(operator, 1), output, options },
      }
    }
  }

  finish(outputs: readonly string[]): void {
    for (const [index, result] of this.flat.ints(this.#subgraph, 2).entries()) {
      const { name, height, width, channels } = this.value(result)
      const shape = height === undefined ? ['n', 'rows', channels] : ['n', channels, height, width]
      this.graph.output(outputs[index] as string, name, shape)
    }
  }

  tensor(index: number): Tensor {
    return this.#tensors[index] as Tensor
  }

  value(index: number): Value {
    const value = this.#values.get(index)
    if (!value) throw new Error(`tensor ${index} is used before it is computed`)
    return value
  }

  setValue(index: number, value: Value): void {
    this.#values.set(index, value)
  }

  /** Weights, mostly in half precision. */
  constant(index: number): Constant {
    const dequantized = this.#constants.get(index)
    if (dequantized) return dequantized
    const { shape, type, buffer } = this.tensor(index)
    const { bytes } = this.flat
    const read = [
      (i: number) => bytes.readFloatLE(buffer.start + 4 * i),
      (i: number) => half(bytes.readUInt16LE(buffer.start + 2 * i)),
      (i: number) => bytes.readInt32LE(buffer.start + 4 * i),
    ][type]
    if (!read) throw new Error(`tensor ${index} has an unsupported data type: ${type}`)
    const length = shape.reduce((product, size) => product * size, 1)
    const data = new Float32Array(length)
    for (let index = 0; index < length; index++) data[index] = read(index)
    return { shape, data }
  }

  setConstant(index: number, constant: Constant): void {
    this.#constants.set(index, constant)
  }

  option(step: Step, field: number, as: 'int' | 'byte'): number {
    return step.options === undefined ? 0 : this.flat[as](step.options, field)
  }

  activated(name: string, code: number): string {
    if (code === 0) return name
    if (code === 1) return this.graph.node('Relu', [name])
    throw new Error(`unsupported activation: ${code}`)
  }
}

type Operator = (reader: TfliteReader, step: Step) => void

const paddingOf = (code: number): Padding => (code === 0 ? 'same' : 'none')

/** TensorFlow Lite orders the axes of weights differently from ONNX. */
const convolve =
  (isDepthwise: boolean): Operator =>
  (reader, step) => {
    const { graph } = reader
    const [input, weights, bias] = step.inputs as [number, number, number]
    const x = reader.value(input)
    const { shape, data } = reader.constant(weights)
    const [outer, height, width, inner] = shape as [number, number, number, number]
    const outputs = isDepthwise ? inner : outer
    const inputs = isDepthwise ? 1 : inner
    const at = (o: number, i: number, v: number, u: number) =>
      isDepthwise ? (v * width + u) * inner + o : ((o * height + v) * width + u) * inner + i
    const { name, ...size } = convolution(graph, x.name, {
      from: { height: x.height as number, width: x.width },
      kernel: { outputs, inputs, height, width, weight: (...index) => data[at(...index)] as number },
      bias: reader.constant(bias).data,
      strides: [reader.option(step, 2, 'int'), reader.option(step, 1, 'int')],
      padding: paddingOf(reader.option(step, 0, 'byte')),
      groups: isDepthwise ? x.channels : 1,
    })
    const activation = reader.option(step, isDepthwise ? 4 : 3, 'byte')
    reader.setValue(step.output, { ...size, name: reader.activated(name, activation), channels: outputs })
  }

const maxPool: Operator = (reader, step) => {
  const [input] = step.inputs as [number]
  const x = reader.value(input)
  const padding = paddingOf(reader.option(step, 0, 'byte'))
  const [down, across] = [reader.option(step, 2, 'int'), reader.option(step, 1, 'int')]
  const [height, width] = [reader.option(step, 4, 'int'), reader.option(step, 3, 'int')]
  const rows = padded(x.height as number, { kernel: height, stride: down, padding })
  const columns = padded(x.width, { kernel: width, stride: across, padding })
  const name = reader.graph.node('MaxPool', [x.name], {
    kernel_shape: [height, width],
    strides: [down, across],
    pads: [rows.before, columns.before, rows.after, columns.after],
  })
  reader.setValue(step.output, { ...x, name, height: rows.size, width: columns.size })
}

const pad: Operator = (reader, step) => {
  const [input, amounts] = step.inputs as [number, number]
  const x = reader.value(input)
  const [, , top = 0, bottom = 0, left = 0, right = 0, front = 0, back = 0] = reader.constant(amounts).data
  const pads = reader.graph.wholes(0, front, top, left, 0, back, bottom, right)
  reader.setValue(step.output, {
    name: reader.graph.node('Pad', [x.name, pads]),
    height: (x.height as number) + top + bottom,
    width: x.width + left + right,
    channels: x.channels + front + back,
  })
}

const resize: Operator = (reader, step) => {
  const [input] = step.inputs as [number]
  const x = reader.value(input)
  const by = (reader.tensor(step.output).shape[1] as number) / (reader.tensor(input).shape[1] as number)
  const isAligned = reader.option(step, 2, 'byte') !== 0
  const isCentred = reader.option(step, 3, 'byte') !== 0
  const mode = isAligned ? 'align_corners' : isCentred ? 'half_pixel' : 'asymmetric'
  const name = reader.graph.node('Resize', [x.name, '', reader.graph.numbers(Float32Array.of(1, 1, by, by), [4])], {
    mode: 'linear',
    coordinate_transformation_mode: mode,
  })
  reader.setValue(step.output, { ...x, name, height: (x.height as number) * by, width: x.width * by })
}

/** In these networks always the last step: pixels become rows of numbers. */
const reshape: Operator = (reader, step) => {
  const [input] = step.inputs as [number]
  const x = reader.value(input)
  const channels = reader.tensor(step.output).shape.at(-1) as number
  const pixels = reader.graph.node('Transpose', [x.name], { perm: [0, 2, 3, 1] })
  const name = reader.graph.node('Reshape', [pixels, reader.graph.wholes(0, -1, channels)])
  reader.setValue(step.output, { name, width: ((x.height as number) * x.width * x.channels) / channels, channels })
}

const concatenate: Operator = (reader, step) => {
  const parts = step.inputs.map((input) => reader.value(input))
  const names = parts.map(({ name }) => name)
  reader.setValue(step.output, { ...(parts[0] as Value), name: reader.graph.node('Concat', names, { axis: 1 }) })
}

const add: Operator = (reader, step) => {
  const [x, y] = step.inputs.map((input) => reader.value(input)) as [Value, Value]
  const name = reader.graph.node('Add', [x.name, y.name])
  reader.setValue(step.output, { ...x, name: reader.activated(name, reader.option(step, 0, 'byte')) })
}

const relu: Operator = (reader, step) => {
  const x = reader.value(step.inputs[0] as number)
  reader.setValue(step.output, { ...x, name: reader.graph.node('Relu', [x.name]) })
}

const prelu: Operator = (reader, step) => {
  const [input, slopes] = step.inputs as [number, number]
  const x = reader.value(input)
  const { data } = reader.constant(slopes)
  const name = reader.graph.node('PRelu', [x.name, reader.graph.numbers(data, [data.length, 1, 1])])
  reader.setValue(step.output, { ...x, name })
}

const dequantize: Operator = (reader, step) =>
  reader.setConstant(step.output, reader.constant(step.inputs[0] as number))

/** By operator code. */
const operators: Readonly<Record<number, Operator>> = {
  0: add,
  2: concatenate,
  3: convolve(false),
  4: convolve(true),
  6: dequantize,
  17: maxPool,
  19: relu,
  22: reshape,
  23: resize,
  34: pad,
  54: prelu,
}

/** Decodes a half-precision float. */
function half(bits: number): number {
  const sign = bits >> 15 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = (bits & 0x3ff) / 1024
  if (exponent === 0) return sign * fraction * 2 ** -14
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction) * 2 ** (exponent - 15)
}
