export const partitionCount = 64

/** Concurrent evaluations per tenant, each with its own partitions. */
export const laneCount = 8
export const laneOf = (partition: number) => partition % laneCount

/** Partition of an instance. All its messages are in one, which preserves their order. */
export function partitionOf(modelId: string, key: string): number {
  let hash = 0x811c9dc5 // FNV-1a
  for (let index = 0; index < modelId.length; index++) hash = step(hash, modelId.charCodeAt(index))
  hash = step(hash, 0)
  for (let index = 0; index < key.length; index++) hash = step(hash, key.charCodeAt(index))
  return (hash ^ (hash >>> 16)) & (partitionCount - 1)
}

const step = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193)
