import { dimensions } from '../training/gallery.ts'

/**
 * Agglomerative clustering with average linkage: merges clusters, the closest pair of faces first, while their faces are on
 * average no farther apart than `maxDistance`. Returns the indices of each cluster's faces, the largest cluster first.
 */
export function groups(descriptors: Float32Array, maxDistance: number): number[][] {
  const count = descriptors.length / dimensions
  const sums = new Float64Array(count * count)
  const pairs: { readonly a: number; readonly b: number; readonly distance: number }[] = []
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const distance = distanceBetween(descriptors, a * dimensions, b * dimensions)
      sums[a * count + b] = distance
      sums[b * count + a] = distance
      if (distance <= maxDistance) pairs.push({ a, b, distance })
    }
  const members = Array.from({ length: count }, (_, index) => [index])
  const clusterOf = Int32Array.from({ length: count }, (_, index) => index)
  for (const pair of pairs.sort((p, q) => p.distance - q.distance)) {
    const [a, b] = [clusterOf[pair.a] as number, clusterOf[pair.b] as number]
    const [into, from] = [members[a] as number[], members[b] as number[]]
    if (a === b || (sums[a * count + b] as number) / (into.length * from.length) > maxDistance) continue
    for (let other = 0; other < count; other++) {
      const sum = (sums[a * count + other] as number) + (sums[b * count + other] as number)
      sums[a * count + other] = sum
      sums[other * count + a] = sum
    }
    for (const index of from) clusterOf[index] = a
    into.push(...from)
    members[b] = []
  }
  return members.filter(({ length }) => length > 0).sort((p, q) => q.length - p.length)
}

function distanceBetween(all: Float32Array, a: number, b: number): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += ((all[a + i] as number) - (all[b + i] as number)) ** 2
  return Math.sqrt(sum)
}
