import { performance } from 'node:perf_hooks'
import { createMetrics } from '@icosa/telemetry'
import { latencyIn } from '@icosa/testing'
import dictionary from 'dictionary-en'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDictionary } from './dictionary.ts'
import { type English, englishWords, openEnglish } from './english.ts'

let english: English
let loadMs: number
let heldUpMs: number

beforeAll(async () => {
  const [began, busy] = [performance.now(), performance.eventLoopUtilization()]
  english = openEnglish(createMetrics())
  await english.among('ada', ['word'])
  loadMs = performance.now() - began
  heldUpMs = performance.eventLoopUtilization(busy).active
})
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
  expect(heldUpMs).toBeLessThan(loadMs / 2)
  expect(callMs).toBeLessThan(loadMs / 4)
})

test('forms are taken apart: suffixes, prefixes, both, and only as the dictionary has them', () => {
  const isForm = readDictionary(dictionary)
  const right = ['try', 'tried', 'retry', 'unlocked', 'disconnections', 'reopening', "dog's", 'London', 'fiftieth']
  expect(right.filter((word) => !isForm(word))).toEqual([])
  const wrong = ['tryed', 'untry', 'reLondon', 'openinged', 'london', '', '1th', 'connectioning']
  expect(wrong.filter(isForm)).toEqual([])
})

test('the dictionary is read in a moment: in little more than its text can be split into words', async () => {
  const fastest = async (work: () => unknown) => {
    const times: number[] = []
    for (let round = 0; round < 7; round++) {
      const began = process.threadCpuUsage()
      await work()
      const { user, system } = process.threadCpuUsage(began)
      times.push((user + system) / 1000)
    }
    return Math.min(...times)
  }
  const splitMs = await fastest(englishWords)
  const readMs = await fastest(() => readDictionary(dictionary))
  console.log(`read in ${readMs.toFixed(0)} ms of CPU, split in ${splitMs.toFixed(0)} ms`)
  expect(readMs).toBeLessThan(3 * splitMs) // with every form put together it would be ten times
})
