import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Convolution, convolution, type Padding, padded } from './layers.ts'
import { Graph } from './onnx.ts'

export interface Weight {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

interface Entry {
  readonly name: string
  readonly shape: readonly number[]
  readonly dtype: string
  readonly quantization?: { readonly dtype: string; readonly scale: number; readonly min: number }
}

/** Reads the weights of a TensorFlow.js model from its manifest and shards, by name. */
export function readWeights(folder: string, model: string): ReadonlyMap<string, Weight> {
  const manifest = readFileSync(join(folder, `${model}-weights_manifest.json`), 'utf8')
  const weights = new Map<string, Weight>()
  for (const { paths, weights: entries } of JSON.parse(manifest)) {
    const bytes = Buffer.concat(paths.map((path: string) => readFileSync(join(folder, path))))
    let start = 0
    for (const entry of entries as Entry[]) {
      const { width, read } = numbersOf(entry, bytes)
      const length = entry.shape.reduce((product, size) => product * size, 1)
      const data = new Float32Array(length)
      for (let index = 0; index < length; index++) data[index] = read(start + width * index)
      weights.set(entry.name, { shape: entry.shape, data })
      start += width * length
    }
    if (start !== bytes.length) throw new Error(`${model} has ${bytes.length - start} bytes beyond its weights`)
  }
  return weights
}

function numbersOf({ dtype, quantization, name }: Entry, bytes: Buffer) {
  const kind = quantization?.dtype ?? dtype
  const { scale = 1, min = 0 } = quantization ?? {}
  if (kind === 'uint8') return { width: 1, read: (at: number) => bytes.readUInt8(at) * scale + min }
  if (kind === 'uint16') return { width: 2, read: (at: number) => bytes.readUInt16LE(at) * scale + min }
  if (kind === 'int32') return { width: 4, read: (at: number) => bytes.readInt32LE(at) }
  if (kind === 'float32') return { width: 4, read: (at: number) => bytes.readFloatLE(at) }
  throw new Error(`${name} has an unsupported data type: ${kind}`)
}

/** A feature map; all of them are square. */
export interface Square {
  readonly name: string
  readonly side: number
  readonly channels: number
}

interface ConvolveOptions {
  readonly stride?: number
  readonly padding?: Padding
  readonly bias?: Float32Array | undefined
  /** Factors for the weights of each output. */
  readonly gain?: Float32Array | undefined
  readonly isDepthwise?: boolean
}

/** Converts a TensorFlow.js network to ONNX. */
export class Net {
  readonly graph = new Graph()
  readonly #weights: ReadonlyMap<string, Weight>

  constructor(weights: ReadonlyMap<string, Weight>) {
    this.#weights = weights
  }

  weight(name: string): Weight {
    const weight = this.#weights.get(name)
    if (!weight) throw new Error(`there is no weight ${name}`)
    return weight
  }

  image(side: number, mean: readonly number[], by: number): Square {
    return { name: this.graph.image(side, { mean, by }), side, channels: 3 }
  }

  convolve(x: Square, filters: Weight, options: ConvolveOptions = {}): Square {
    const { stride = 1, padding = 'same', bias, gain, isDepthwise = false } = options
    const [height, width, inputs, last] = filters.shape as [number, number, number, number]
    const outputs = isDepthwise ? inputs : last
    const weight: Convolution['kernel']['weight'] = (o, i, v, u) => {
      const at = isDepthwise ? (v * width + u) * inputs + o : ((v * width + u) * inputs + i) * last + o
      return (filters.data[at] as number) * (gain?.[o] ?? 1)
    }
    const { name, height: side } = convolution(this.graph, x.name, {
      from: { height: x.side, width: x.side },
      kernel: { outputs, inputs: isDepthwise ? 1 : inputs, height, width, weight },
      ...(bias && { bias }),
      strides: [stride, stride],
      padding,
      groups: isDepthwise ? inputs : 1,
    })
    return { name, side, channels: outputs }
  }

  relu(x: Square): Square {
    return { ...x, name: this.graph.node('Relu', [x.name]) }
  }

  relu6(x: Square): Square {
    return { ...x, name: this.graph.node('Clip', [x.name, this.graph.number(0), this.graph.number(6)]) }
  }

  add(x: Square, y: Square): Square {
    return { ...x, name: this.graph.node('Add', [x.name, y.name]) }
  }

  pool(x: Square, type: 'MaxPool' | 'AveragePool', kernel: number, stride: number): Square {
    const { size } = padded(x.side, { kernel, stride, padding: 'none' })
    const attributes = { kernel_shape: [kernel, kernel], strides: [stride, stride] }
    return { ...x, side: size, name: this.graph.node(type, [x.name], attributes) }
  }

  /** Appends zeros to channels, rows and columns. */
  grow(x: Square, channels: number, side: number): Square {
    const [addedChannels, addedCells] = [channels - x.channels, side - x.side]
    if (addedChannels === 0 && addedCells === 0) return x
    const pads = this.graph.wholes(0, 0, 0, 0, 0, addedChannels, addedCells, addedCells)
    return { name: this.graph.node('Pad', [x.name, pads]), channels, side }
  }
}
