import { expect, test } from 'vitest'
import type { Timing } from '../jobs/job.ts'
import { madeUpForLimit, planOf } from './plan.ts'

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

test('every missed occurrence is an execution of its own', () => {
  const plan = planOf(beat, after(59.5), 500)
  expect(plan.times).toEqual(Array.from({ length: 60 }, (_, minute) => after(minute)))
  expect(plan).toMatchObject({ nextExecutionAt: after(60), occurrenceCount: 60, madeUpFor: 0 })
})

test('a job that is weeks behind is made up for up to a limit, then goes on from now', () => {
  const now = after(30 * 24 * 60 + 0.5)
  let job = beat
  let fired = 0
  let plans = 0
  const leftOut: string[] = []
  do {
    const plan = planOf(job, now, 500)
    fired += plan.times.length
    if (plan.leftOut) leftOut.push(plan.leftOut)
    job = { ...job, ...plan }
  } while (job.nextExecutionAt && job.nextExecutionAt <= now && ++plans < 1_000)
  expect(fired).toBe(madeUpForLimit)
  expect(job.nextExecutionAt).toEqual(after(30 * 24 * 60 + 1))
  expect(leftOut).toEqual([expect.stringContaining(`from ${after(10_000).toISOString()} on were skipped`)])
})

test('what was due while the collection was disabled does not happen, not even what happens once', () => {
  const disabled = { ...beat, resumedAt: after(30.5) }
  const plan = planOf(disabled, after(32), 500)
  expect(plan.times).toEqual([after(31), after(32)])
  expect(plan.leftOut).toContain('the job collection had been disabled')
  expect(planOf({ ...disabled, definition: {} }, after(32), 500)).toMatchObject({ times: [], nextExecutionAt: null })
})

test('so many times and no more, however late', () => {
  const job = { ...beat, definition: { recurrence: { frequency: 'Minute' as const, interval: 1, count: 5 } } }
  expect(planOf(job, after(60), 500)).toMatchObject({ nextExecutionAt: null, occurrenceCount: 5 })
  expect(planOf(job, after(60), 3), 'in parts').toMatchObject({ nextExecutionAt: after(3), occurrenceCount: 3 })
})
