import { expect, test } from 'vitest'
import { pace } from './pace.ts'
import type { Recurrence, Schedule } from './recurrence.ts'

const of = (frequency: Recurrence['frequency'], interval: number, schedule: Schedule = {}) =>
  pace({ frequency, interval, schedule })

test('the pace is the shortest time between two occurrences, however they are written', () => {
  expect(of('Minute', 5)).toBe(5)
  expect(of('Hour', 2)).toBe(120)
  expect(of('Hour', 1, { minutes: [0, 10, 55] })).toBe(5)
  expect(of('Day', 1)).toBe(1_440)
  expect(of('Day', 1, { hours: [9, 17] })).toBe(480)
  expect(of('Day', 3, { minutes: [0, 1] }), 'minutes without hours apply to every hour').toBe(1)
  expect(of('Day', 1, { hours: [0, 23], minutes: [30] }), 'across midnight').toBe(60)
  expect(of('Week', 1, { weekDays: ['Monday', 'Friday'] })).toBe(3 * 1_440)
  expect(of('Week', 1, { weekDays: ['Sunday', 'Saturday'] }), 'across the end of the week').toBe(1_440)
  expect(of('Week', 2, { weekDays: ['Sunday', 'Saturday'] })).toBe(6 * 1_440)
  expect(of('Month', 1)).toBe(28 * 1_440)
  expect(of('Month', 1, { monthDays: [1, 15] })).toBe(14 * 1_440)
  expect(of('Month', 1, { monthDays: [1, -1] })).toBe(1_440)
  expect(of('Month', 1, { monthlyOccurrences: [{ day: 'Friday', Occurrence: 1 }] })).toBe(28 * 1_440)
  expect(of('Month', 1, { monthlyOccurrences: [{ day: 'Friday' }] }), 'every Friday').toBe(7 * 1_440)
})
