import { readFileSync } from 'node:fs'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type ModelName, modelFile } from '../weights/models.ts'

/** Runs a network on an image, square unless `height` is given. Blocks its thread. */
export type Network = (
  image: Uint8Array,
  width: number,
  height?: number,
) => Promise<Readonly<Record<string, Float32Array>>>

/** One thread per network: parallelism between photos, by processes, is faster than within one. */
export async function openNetwork(folder: string, name: ModelName): Promise<Network> {
  const session = await InferenceSession.create(modelFile(folder, name), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // It would keep a plan and its memory for each size of photo.
    enableMemPattern: false,
    // Idle threads would spin.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  return async (image, width, height = width) => {
    const results = await session.run({ image: new Tensor('uint8', image, [1, height, width, 3]) })
    return Object.fromEntries(Object.entries(results).map(([output, { data }]) => [output, data as Float32Array]))
  }
}

export function readNumbers(folder: string, name: ModelName): Float32Array {
  const { buffer, byteOffset, byteLength } = readFileSync(modelFile(folder, name))
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
