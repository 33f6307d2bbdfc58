import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sampleRate } from './audio.ts'

/** Filter length: enough to suppress aliasing, and fast. */
const taps = 96
/** Passband relative to the Nyquist frequency. */
const passband = 0.9
const chunkSamples = sampleRate

/** Resamples to 8,000 Hz, yielding to other work after every second of audio. */
export async function resample(samples: Int16Array, rate: number): Promise<Int16Array> {
  if (rate === sampleRate) return samples
  const divisor = greatestCommonDivisor(rate, sampleRate)
  const [from, to] = [rate / divisor, sampleRate / divisor]
  const filters = filtersFor(rate, to)
  const padded = new Float64Array(samples.length + taps) // silence on both sides
  padded.set(samples, taps / 2)
  const result = new Int16Array(Math.floor((samples.length * sampleRate) / rate))
  for (let start = 0; start < result.length; start += chunkSamples) {
    const end = Math.min(start + chunkSamples, result.length)
    for (let index = start; index < end; index++) {
      const position = index * from
      const sample = filtered(padded, Math.floor(position / to) + 1, filters, (position % to) * taps)
      result[index] = Math.max(-32_768, Math.min(32_767, Math.round(sample)))
    }
    await yieldToOthers()
  }
  return result
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

const filtersByRate = new Map<number, Float64Array>()

/** Polyphase filters: a windowed sinc for each phase of an output sample between two input samples. */
function filtersFor(rate: number, phases: number): Float64Array {
  const cached = filtersByRate.get(rate)
  if (cached) return cached
  const cutoff = passband * Math.min(1, sampleRate / rate)
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
  filtersByRate.set(rate, filters)
  return filters
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Blackman window, from -1 to 1. */
const window = (x: number) =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)

/** Uses four accumulators, which run in parallel: half the time of one. */
function filtered(samples: Float64Array, first: number, filters: Float64Array, filter: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let tap = 0; tap < taps; tap += 4) {
    // Indices are always in range.
    a += (samples[first + tap] as number) * (filters[filter + tap] as number)
    b += (samples[first + tap + 1] as number) * (filters[filter + tap + 1] as number)
    c += (samples[first + tap + 2] as number) * (filters[filter + tap + 2] as number)
    d += (samples[first + tap + 3] as number) * (filters[filter + tap + 3] as number)
  }
  return a + b + c + d
}
