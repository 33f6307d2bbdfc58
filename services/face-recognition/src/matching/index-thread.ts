import { serve } from '@icosa/compute/serve'
import { Index, MetricKind, ScalarKind } from 'usearch'
import { dimensions } from '../training/gallery.ts'

/** A graph in which each face knows some that are near: whoever is looked for is found along the way, not among all. */
export type IndexTask =
  | { readonly is: 'build'; readonly descriptors: SharedArrayBuffer; readonly file: string }
  | { readonly is: 'open'; readonly name: string; readonly file: string }
  | { readonly is: 'search'; readonly name: string; readonly probe: Float32Array; readonly count: number }
  | { readonly is: 'close'; readonly name: string }

/** The places of faces that are likely the nearest; undefined if there is no such index, or nothing to answer. */
export type IndexResult = Float64Array | undefined

/** One byte a number is enough to find who is near: how near is computed from the numbers themselves. */
const empty = () =>
  new Index({
    dimensions,
    metric: MetricKind.L2sq,
    quantization: ScalarKind.I8,
    connectivity: 16,
    expansion_add: 96,
    expansion_search: 128,
    multi: false,
  })

const batch = 500

function build(descriptors: SharedArrayBuffer, file: string): void {
  const index = empty()
  const all = new Float32Array(descriptors)
  const count = all.length / dimensions
  for (let from = 0; from < count; from += batch) {
    const to = Math.min(from + batch, count)
    const keys = BigUint64Array.from({ length: to - from }, (_, i) => BigInt(from + i))
    index.add(keys, all.slice(from * dimensions, to * dimensions), 1)
  }
  index.save(file)
}

await serve(() => {
  const opened = new Map<string, Index>()
  return (task: IndexTask): IndexResult => {
    switch (task.is) {
      case 'build':
        build(task.descriptors, task.file)
        return undefined
      case 'open': {
        const index = empty()
        index.load(task.file)
        opened.set(task.name, index)
        return undefined
      }
      case 'search': {
        const found = opened.get(task.name)?.search(task.probe, task.count, 1)
        return found && Float64Array.from(found.keys, Number)
      }
      case 'close':
        opened.delete(task.name)
        return undefined
    }
  }
})
