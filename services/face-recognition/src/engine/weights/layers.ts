import type { Graph } from './onnx.ts'

/** `same`: zero padding, so that the output has the size of the input divided by the stride. */
export type Padding = 'same' | 'none'

interface Window {
  readonly kernel: number
  readonly stride: number
  readonly padding: Padding
}

/** TensorFlow's rule: an odd zero goes to the end. */
export function padded(from: number, { kernel, stride, padding }: Window) {
  if (padding === 'none') return { size: Math.floor((from - kernel) / stride) + 1, before: 0, after: 0 }
  const size = Math.ceil(from / stride)
  const zeros = Math.max((size - 1) * stride + kernel - from, 0)
  const before = Math.floor(zeros / 2)
  return { size, before, after: zeros - before }
}

export interface Convolution {
  readonly from: { readonly height: number; readonly width: number }
  readonly kernel: {
    readonly outputs: number
    /** Per group. */
    readonly inputs: number
    readonly height: number
    readonly width: number
    weight(output: number, input: number, row: number, column: number): number
  }
  readonly bias?: Float32Array
  readonly strides: readonly [down: number, across: number]
  readonly padding: Padding
  readonly groups: number
}

export function convolution(graph: Graph, x: string, { from, kernel, bias, strides, padding, groups }: Convolution) {
  const { outputs, inputs, height, width } = kernel
  const data = new Float32Array(outputs * inputs * height * width)
  let at = 0
  for (let o = 0; o < outputs; o++)
    for (let i = 0; i < inputs; i++)
      for (let v = 0; v < height; v++) for (let u = 0; u < width; u++) data[at++] = kernel.weight(o, i, v, u)
  const rows = padded(from.height, { kernel: height, stride: strides[0], padding })
  const columns = padded(from.width, { kernel: width, stride: strides[1], padding })
  const weights = [graph.numbers(data, [outputs, inputs, height, width])]
  if (bias) weights.push(graph.numbers(bias, [outputs]))
  const name = graph.node('Conv', [x, ...weights], {
    kernel_shape: [height, width],
    strides,
    group: groups,
    pads: [rows.before, columns.before, rows.after, columns.after],
  })
  return { name, height: rows.size, width: columns.size }
}
