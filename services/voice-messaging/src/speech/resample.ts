import { setImmediate as others } from 'node:timers/promises'
import { sampleRate } from './audio.ts'

/** Samples that one output sample is made of: enough that what a line cannot carry is gone, and quick. */
const taps = 96
/** What is let through, as a part of what 8,000 samples a second can carry. */
const passed = 0.9
const atOnce = sampleRate

/** The same sound at 8,000 samples a second. A second of it at a time: calls that are under way must go on. */
export async function resample(samples: Int16Array, rate: number): Promise<Int16Array> {
  if (rate === sampleRate) return samples
  const divisor = greatestCommonDivisor(rate, sampleRate)
  const [from, to] = [rate / divisor, sampleRate / divisor]
  const filters = filtersFor(rate, to)
  const padded = new Float64Array(samples.length + taps) // silence on both sides, so that no place is beyond the end
  padded.set(samples, taps / 2)
  const result = new Int16Array(Math.floor((samples.length * sampleRate) / rate))
  for (let start = 0; start < result.length; start += atOnce) {
    const end = Math.min(start + atOnce, result.length)
    for (let index = start; index < end; index++) {
      const position = index * from
      const sample = filtered(padded, Math.floor(position / to) + 1, filters, (position % to) * taps)
      result[index] = Math.max(-32_768, Math.min(32_767, Math.round(sample)))
    }
    await others()
  }
  return result
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other)

const known = new Map<number, Float64Array>()

/** A windowed sinc for every place that an output sample can have between two input samples, one after the other. */
function filtersFor(rate: number, phases: number): Float64Array {
  const made = known.get(rate)
  if (made) return made
  const cutoff = passed * Math.min(1, sampleRate / rate)
  const filters = new Float64Array(phases * taps)
  for (let phase = 0; phase < phases; phase++) {
    const weights = Array.from({ length: taps }, (_, tap) => {
      const distance = tap - taps / 2 + 1 - phase / phases
      return sinc(distance * cutoff) * window(distance / (taps / 2))
    })
    const sum = weights.reduce((total, weight) => total + weight)
    filters.set(
      weights.map((weight) => weight / sum),
      phase * taps,
    )
  }
  known.set(rate, filters)
  return filters
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Blackman's, from -1 to 1. */
const window = (x: number) =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)

/** Four sums, which a processor works out side by side: half the time of one. */
function filtered(samples: Float64Array, first: number, filters: Float64Array, filter: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let tap = 0; tap < taps; tap += 4) {
    // None of these is beyond an end, which the compiler cannot know.
    a += (samples[first + tap] as number) * (filters[filter + tap] as number)
    b += (samples[first + tap + 1] as number) * (filters[filter + tap + 1] as number)
    c += (samples[first + tap + 2] as number) * (filters[filter + tap + 2] as number)
    d += (samples[first + tap + 3] as number) * (filters[filter + tap + 3] as number)
  }
  return a + b + c + d
}
