import { performance } from 'node:perf_hooks'
import { createMetrics } from '@icosa/kernel'
import { latencyIn } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type English, openEnglish } from './english.ts'

let english: English
let loadMs: number
let heldUpMs: number

beforeAll(async () => {
  const [began, busy] = [performance.now(), performance.eventLoopUtilization()]
  english = openEnglish(createMetrics())
  await english.among('ada', ['word'])
  loadMs = performance.now() - began
  heldUpMs = performance.eventLoopUtilization(busy).active
}, 120_000)
afterAll(() => english.close())

test('English words are known in all their forms, names in small letters, too', async () => {
  const words = ['listening', 'xylophones', 'london', 'colour', 'color', 'fotball', 'zzyzx']
  expect([...(await english.among('ada', words))]).toEqual(['listening', 'xylophones', 'london', 'color'])
  expect(await english.among('ada', [])).toEqual(new Set())
})

test('the dictionary is loaded beside the event loop, once', async () => {
  const calls: number[] = []
  for (let n = 0; n < 20; n++) {
    const began = performance.now()
    await english.among('ada', ['another'])
    calls.push(performance.now() - began)
  }
  const callMs = latencyIn(calls).p50
  console.log(
    `loaded in ${loadMs.toFixed(0)} ms, of which the event loop was held up for ${heldUpMs.toFixed(0)} ms; ` +
      `a call takes ${callMs.toFixed(1)} ms`,
  )
  expect(heldUpMs).toBeLessThan(loadMs / 4)
  expect(callMs).toBeLessThan(loadMs / 4)
})
