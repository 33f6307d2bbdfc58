import { Net, type Square, type Weight } from './tfjs.ts'

const halvingLayers: ReadonlySet<number> = new Set([2, 4, 6, 12])
/** Background, face, and an untrained class. */
const classes = 3

/** SSD MobileNet for faces at 512 pixels: `scores` of its anchors, and `boxes` relative to them. */
export function smallFacesNet(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const net = new Net(weights)
  const { graph } = net
  const pointwise = (x: Square, name: string, stride = 1): Square => {
    const bias = net.weight(`${name}_pointwise/convolution_bn_offset`).data
    return net.relu6(net.convolve(x, net.weight(`${name}_pointwise/weights`), { stride, bias }))
  }
  const maps: Square[] = []
  let x = pointwise(net.image(512, [127.5, 127.5, 127.5], 1 / 127.5), 'MobilenetV1/Conv2d_0', 2)
  for (let layer = 1; layer <= 13; layer++) {
    x = depthwise(net, x, `MobilenetV1/Conv2d_${layer}_depthwise`, halvingLayers.has(layer) ? 2 : 1)
    x = pointwise(x, `MobilenetV1/Conv2d_${layer}`)
    if (layer === 11 || layer === 13) maps.push(x)
  }
  for (let layer = 0; layer < 8; layer++) {
    x = pointwise(x, `Prediction/Conv2d_${layer}`, (layer % 2) + 1)
    if (layer % 2 === 1) maps.push(x)
  }
  const rows = ({ name }: Square, ...shape: number[]) =>
    graph.node('Reshape', [graph.node('Transpose', [name], { perm: [0, 2, 3, 1] }), graph.wholes(0, -1, ...shape)])
  const predictions = maps.map((map, index) => {
    const predictor = `Prediction/BoxPredictor_${index}`
    const box = net.weight(`${predictor}/BoxEncodingPredictor/weights`)
    const boxBias = net.weight(`${predictor}/BoxEncodingPredictor/biases`).data
    const face = faceClass(net.weight(`${predictor}/ClassPredictor/weights`))
    const faceBias = faceClass(net.weight(`${predictor}/ClassPredictor/biases`)).data
    return {
      boxes: rows(net.convolve(map, box, { bias: boxBias }), 4),
      scores: rows(net.convolve(map, face, { bias: faceBias })),
    }
  })
  const all = (output: 'boxes' | 'scores') =>
    graph.node(
      'Concat',
      predictions.map((prediction) => prediction[output]),
      { axis: 1 },
    )
  graph.output('boxes', all('boxes'), ['n', 'anchors', 4])
  graph.output('scores', graph.node('Sigmoid', [all('scores')]), ['n', 'anchors'])
  return graph.encoded('small faces')
}

/** Top, left, bottom and right of each anchor, relative to the picture. */
export const anchorsOf = (weights: ReadonlyMap<string, Weight>): Float32Array =>
  (weights.get('Output/extra_dim') as Weight).data

/** Depthwise convolution with its batch normalization folded in. */
function depthwise(net: Net, x: Square, name: string, stride: number): Square {
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
    (part) => net.weight(`${name}/BatchNorm/${part}`).data,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array]
  const gain = gamma.map((value, i) => value / Math.sqrt((variance[i] as number) + 0.001))
  const bias = beta.map((value, i) => value - (mean[i] as number) * (gain[i] as number))
  return net.relu6(net.convolve(x, net.weight(`${name}/depthwise_weights`), { stride, gain, bias, isDepthwise: true }))
}

/** Selects the weights of the face class. */
function faceClass({ shape, data }: Weight): Weight {
  const outputs = (shape.at(-1) as number) / classes
  return { shape: [...shape.slice(0, -1), outputs], data: data.filter((_, index) => index % classes === 1) }
}
