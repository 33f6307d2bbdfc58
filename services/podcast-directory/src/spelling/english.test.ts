import { performance } from 'node:perf_hooks'
import { createMetrics } from '@icosa/telemetry'
import { latencyIn } from '@icosa/testing'
import dictionary from 'dictionary-en'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDictionary } from './dictionary.ts'
import { type English, englishWords, openEnglish } from './english.ts'

let english: English
let loadMs: number
let blockedMs: number

beforeAll(async () => {
  const [startedAt, busy] = [performance.now(), performance.eventLoopUtilization()]
  english = openEnglish(createMetrics())
  await english.among('ada', ['word'])
  loadMs = performance.now() - startedAt
  blockedMs = performance.eventLoopUtilization(busy).active
})
afterAll(() => english.close())

test('English words are recognized in all forms, and names in lower case', async () => {
  const words = ['listening', 'xylophones', 'london', 'colour', 'color', 'fotball', 'zzyzx']
  expect([...(await english.among('ada', words))]).toEqual(['listening', 'xylophones', 'london', 'color'])
  expect(await english.among('ada', [])).toEqual(new Set())
})

test('the dictionary is loaded once, off the event loop', async () => {
  const calls: number[] = []
  for (let n = 0; n < 20; n++) {
    const startedAt = performance.now()
    await english.among('ada', ['another'])
    calls.push(performance.now() - startedAt)
  }
  const callMs = latencyIn(calls).p50
  console.log(
    `loaded in ${loadMs.toFixed(0)} ms, of which the event loop was blocked for ${blockedMs.toFixed(0)} ms; ` +
      `a call takes ${callMs.toFixed(1)} ms`,
  )
  expect(blockedMs).toBeLessThan(loadMs / 2)
  expect(callMs).toBeLessThan(loadMs / 4)
})

test('forms with suffixes and prefixes are recognized, if the dictionary allows them', () => {
  const isForm = readDictionary(dictionary)
  const right = ['try', 'tried', 'retry', 'unlocked', 'disconnections', 'reopening', "dog's", 'London', 'fiftieth']
  expect(right.filter((word) => !isForm(word))).toEqual([])
  const wrong = ['tryed', 'untry', 'reLondon', 'openinged', 'london', '', '1th', 'connectioning']
  expect(wrong.filter(isForm)).toEqual([])
})

test('reading the dictionary takes little longer than splitting its text into words', async () => {
  const fastest = async (work: () => unknown) => {
    const times: number[] = []
    for (let round = 0; round < 7; round++) {
      const startedAt = process.threadCpuUsage()
      await work()
      const { user, system } = process.threadCpuUsage(startedAt)
      times.push((user + system) / 1000)
    }
    return Math.min(...times)
  }
  const splitMs = await fastest(englishWords)
  const readMs = await fastest(() => readDictionary(dictionary))
  console.log(`read in ${readMs.toFixed(0)} ms of CPU, split in ${splitMs.toFixed(0)} ms`)
  expect(readMs).toBeLessThan(3 * splitMs) // generating every form would take ten times as long
})
