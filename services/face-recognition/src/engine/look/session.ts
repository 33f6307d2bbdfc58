import { readFileSync } from 'node:fs'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type ModelName, modelFile } from '../weights/models.ts'

/** One network, ready to be run on a picture, a square unless it has a `height`. It holds its thread until it has run. */
export type Network = (
  image: Uint8Array,
  width: number,
  height?: number,
) => Promise<Readonly<Record<string, Float32Array>>>

/** One thread each: processes share the machine between photos, which is faster than to share it within one. */
export async function openNetwork(folder: string, name: ModelName): Promise<Network> {
  const session = await InferenceSession.create(modelFile(folder, name), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Photos have many sizes, for each of which it would keep a plan and its memory.
    enableMemPattern: false,
    // Without it, its threads would wait for work in a loop.
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
