import { Net, type Square, type Weight } from './tfjs.ts'

const meanColour = [122.782, 117.001, 104.298] // of the training data

/** dlib's face recognition network, a ResNet of 29 layers from a chip of 150 pixels to 128 numbers. */
export function describeNet(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const net = new Net(weights)
  // The scale after each convolution is folded into it.
  const scaled = (x: Square, name: string, isHalved = false): Square => {
    const gain = net.weight(`${name}/scale/weights`).data
    const shift = net.weight(`${name}/scale/biases`).data
    const bias = net.weight(`${name}/conv/bias`).data.map((b, i) => b * (gain[i] as number) + (shift[i] as number))
    const filters = net.weight(`${name}/conv/filters`)
    return net.convolve(x, filters, { gain, bias, ...(isHalved && { stride: 2, padding: 'none' as const }) })
  }
  const residual = (x: Square, name: string): Square =>
    net.relu(net.add(scaled(net.relu(scaled(x, `${name}/conv1`)), `${name}/conv2`), x))
  const halved = (x: Square, name: string): Square => {
    const out = scaled(net.relu(scaled(x, `${name}/conv1`, true)), `${name}/conv2`)
    const pooled = net.pool(x, 'AveragePool', 2, 2)
    return net.relu(net.add(net.grow(pooled, out.channels, pooled.side), net.grow(out, out.channels, pooled.side)))
  }

  let x = net.relu(scaled(net.image(150, meanColour, 1 / 255), 'conv32_down', true))
  x = net.pool(x, 'MaxPool', 3, 2)
  for (const name of ['conv32_1', 'conv32_2', 'conv32_3']) x = residual(x, name)
  for (const [first, ...others] of [
    ['conv64_down', 'conv64_1', 'conv64_2', 'conv64_3'],
    ['conv128_down', 'conv128_1', 'conv128_2'],
    ['conv256_down', 'conv256_1', 'conv256_2'],
    ['conv256_down_out'],
  ] as const) {
    x = halved(x, first)
    for (const name of others) x = residual(x, name)
  }
  const { graph } = net
  const mean = graph.node('Flatten', [graph.node('GlobalAveragePool', [x.name])])
  const last = net.weight('fc')
  const descriptor = graph.node('Gemm', [mean, graph.numbers(last.data, last.shape)])
  graph.output('descriptor', descriptor, ['n', last.shape[1] as number])
  return graph.encoded('descriptor')
}
