import type { Descriptor } from '../engine/look/describe.ts'

/** Distance threshold for one person: the most accurate one on 6,000 pairs of photos. */
export const samePerson = 0.6
/** Slope of the confidence at the threshold: a distance of 0.3 has a confidence of 0.97, one of 0.9 has 0.03. */
const steepness = 0.0863

export function distance(a: Descriptor, b: Descriptor): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2
  return Math.sqrt(sum)
}

/** Confidence from 0 to 1. Above 0.5, two photos are more likely of one person than of two. */
export function confidenceOf(apart: number): number {
  return Math.round(1e5 / (1 + Math.exp((apart - samePerson) / steepness))) / 1e5
}

/** Inverse of `confidenceOf`. */
export function distanceAt(confidence: number): number {
  if (confidence <= 0) return Number.POSITIVE_INFINITY
  return samePerson - steepness * Math.log(confidence / (1 - Math.min(confidence, 1 - 1e-9)))
}

/** Minimum confidence that two photos are of one person. */
export const isSame = 0.5

/**
 * Default minimum confidence to identify a person of a group. Every person of a group is one more chance of a false match,
 * so it is stricter: one pair of different persons in a thousand reaches it.
 */
export const isIdentified = 0.68
