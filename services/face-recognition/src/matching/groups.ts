import { dimensions } from '../training/gallery.ts'

/**
 * Puts faces together that are likely of one person, starting with the two that are most alike: two groups become one while
 * their faces are on average no farther apart than `within`. Answers them by the places of their faces, the largest first.
 */
export function groups(descriptors: Float32Array, within: number): number[][] {
  const count = descriptors.length / dimensions
  const sums = new Float64Array(count * count)
  const pairs: { readonly one: number; readonly other: number; readonly distance: number }[] = []
  for (let one = 0; one < count; one++)
    for (let other = one + 1; other < count; other++) {
      const distance = apart(descriptors, one * dimensions, other * dimensions)
      sums[one * count + other] = distance
      sums[other * count + one] = distance
      if (distance <= within) pairs.push({ one, other, distance })
    }
  const members = Array.from({ length: count }, (_, index) => [index])
  const groupOf = Int32Array.from({ length: count }, (_, index) => index)
  for (const { one, other } of pairs.sort((p, q) => p.distance - q.distance)) {
    const [a, b] = [groupOf[one] as number, groupOf[other] as number]
    const [into, from] = [members[a] as number[], members[b] as number[]]
    if (a === b || (sums[a * count + b] as number) / (into.length * from.length) > within) continue
    for (let third = 0; third < count; third++) {
      const sum = (sums[a * count + third] as number) + (sums[b * count + third] as number)
      sums[a * count + third] = sum
      sums[third * count + a] = sum
    }
    for (const index of from) groupOf[index] = a
    into.push(...from)
    members[b] = []
  }
  return members.filter(({ length }) => length > 0).sort((p, q) => q.length - p.length)
}

function apart(all: Float32Array, one: number, other: number): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += ((all[one + i] as number) - (all[other + i] as number)) ** 2
  return Math.sqrt(sum)
}
