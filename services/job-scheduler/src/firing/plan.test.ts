import { expect, test } from 'vitest'
import type { Timing } from '../jobs/job.ts'
import { maxCatchUp, planOf } from './plan.ts'

const minuteMs = 60_000
const start = new Date('2026-01-01T00:00:00Z')
const after = (minutes: number) => new Date(start.getTime() + minutes * minuteMs)

const beat: Timing = {
  definition: { recurrence: { frequency: 'Minute', interval: 1 } },
  startsAt: start,
  nextExecutionAt: start,
  resumedAt: null,
  occurrenceCount: 0,
  madeUpFor: 0,
}

test('every missed occurrence is a separate execution', () => {
  const plan = planOf(beat, after(59.5), 500)
  expect(plan.times).toEqual(Array.from({ length: 60 }, (_, minute) => after(minute)))
  expect(plan).toMatchObject({ nextExecutionAt: after(60), occurrenceCount: 60, madeUpFor: 0 })
})

test('a job that is weeks behind catches up to a limit, then continues from now', () => {
  const now = after(30 * 24 * 60 + 0.5)
  let job = beat
  let fired = 0
  let plans = 0
  const skipped: string[] = []
  do {
    const plan = planOf(job, now, 500)
    fired += plan.times.length
    if (plan.skipped) skipped.push(plan.skipped)
    job = { ...job, ...plan }
  } while (job.nextExecutionAt && job.nextExecutionAt <= now && ++plans < 1_000)
  expect(fired).toBe(maxCatchUp)
  expect(job.nextExecutionAt).toEqual(after(30 * 24 * 60 + 1))
  expect(skipped).toEqual([expect.stringContaining(`from ${after(10_000).toISOString()} on were skipped`)])
})

test('occurrences missed while the collection was disabled are skipped, even of one-time jobs', () => {
  const disabled = { ...beat, resumedAt: after(30.5) }
  const plan = planOf(disabled, after(32), 500)
  expect(plan.times).toEqual([after(31), after(32)])
  expect(plan.skipped).toContain('the job collection had been disabled')
  expect(planOf({ ...disabled, definition: {} }, after(32), 500)).toMatchObject({ times: [], nextExecutionAt: null })
})

test('count limits the occurrences, however late', () => {
  const job = { ...beat, definition: { recurrence: { frequency: 'Minute' as const, interval: 1, count: 5 } } }
  expect(planOf(job, after(60), 500)).toMatchObject({ nextExecutionAt: null, occurrenceCount: 5 })
  expect(planOf(job, after(60), 3), 'in parts').toMatchObject({ nextExecutionAt: after(3), occurrenceCount: 3 })
})
