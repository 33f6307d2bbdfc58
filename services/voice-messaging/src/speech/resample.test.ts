import { expect, test } from 'vitest'
import { sampleRate } from './audio.ts'
import { resample } from './resample.ts'

const rate = 22_050

const tone = (hertz: number, perSecond: number, seconds = 1) =>
  Int16Array.from({ length: perSecond * seconds }, (_, index) => {
    return Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / perSecond))
  })

/** Excludes the edges. */
const inner = (samples: Int16Array) => samples.subarray(200, -200)
const loudness = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

test('a tone is preserved', async () => {
  for (const hertz of [200, 1_000, 3_000]) {
    const result = inner(await resample(tone(hertz, rate), rate))
    const expected = inner(tone(hertz, sampleRate))
    const difference = result.map((sample, index) => sample - (expected[index] ?? 0))
    expect(loudness(difference) / loudness(expected), `${hertz} Hz`).toBeLessThan(0.02)
  }
})

test('a tone above the band is removed without aliasing', async () => {
  for (const hertz of [4_500, 6_000, 10_000]) {
    const result = inner(await resample(tone(hertz, rate), rate))
    expect(loudness(result) / loudness(tone(hertz, rate)), `${hertz} Hz`).toBeLessThan(0.01)
  }
})

test('the duration is preserved', async () => {
  expect(await resample(tone(440, rate, 3), rate)).toHaveLength(3 * sampleRate)
  const same = tone(440, sampleRate)
  expect(await resample(same, sampleRate)).toBe(same)
})
