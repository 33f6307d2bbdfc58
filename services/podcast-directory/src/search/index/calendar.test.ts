import { describe, expect, test } from 'vitest'
import { beginOf, calendarOf, documentsIn, latestOf, monthOf, periodsBetween, within } from './calendar.ts'

/** Ten documents in every month of three years. */
const counts = [2024, 2025, 2026].flatMap((year) => [
  [`${year}`, 120] as const,
  ...Array.from({ length: 12 }, (_, month) => [monthOf(Date.UTC(year, month)).slice(1), 10] as const),
])
const calendar = calendarOf(counts)

test('a calendar adds up years and months of several shelves, latest first', () => {
  expect(calendar.years.map((year) => year.name)).toEqual(['d2026', 'd2025', 'd2024'])
  expect(calendar.months.map((month) => month.name).slice(0, 2)).toEqual(['d2026-12', 'd2026-11'])
  expect(documentsIn(calendar)).toBe(360)
  const { months, years } = calendarOf([...counts, ...counts])
  expect([months[0], years[0]]).toEqual([
    { name: 'd2026-12', documents: 20 },
    { name: 'd2026', documents: 240 },
  ])
})

test('a period starts on its first day', () => {
  const days = [Date.UTC(2026, 10, 15), Date.UTC(2026, 10), Date.UTC(2026)]
  expect(['d2026-11-15', 'd2026-11', 'd2026'].map(beginOf)).toEqual(days)
})

describe('a fraction of all documents', () => {
  const later = new Date('2030-01-01T00:00:00Z')
  const latest = (documents: number, now = later) => latestOf(calendar, documents / 360, now)

  test('is covered by as few days, months and years as possible', () => {
    expect(latest(1)).toEqual(['d2026-12-31', 'd2026-12-30', 'd2026-12-29', 'd2026-12-28'])
    expect(latest(5), 'sixteen days would be too many').toEqual(['d2026-12'])
    expect(latest(21)).toEqual(['d2026-12', 'd2026-11', 'd2026-10-31', 'd2026-10-30', 'd2026-10-29', 'd2026-10-28'])
    expect(latest(75), 'eight months would be too many').toEqual(['d2026'])
    expect(latest(150)).toEqual(['d2026', 'd2025-12', 'd2025-11', 'd2025-10'])
    expect(latest(190)).toEqual(['d2026', 'd2025'])
    expect(latest(350), 'all documents').toBeUndefined()
  })

  test('in the current month is covered by past and future days', () => {
    const now = new Date('2026-12-29T12:00:00Z')
    expect(latest(1, now)).toEqual(['d2026-12-31', 'd2026-12-30', 'd2026-12-29', 'd2026-12-28', 'd2026-12-27'])
  })

  test('is covered by years if months are unknown, and by nothing in an empty calendar', () => {
    const withOlder = calendarOf([...counts, ['2012', 500], ['2010', 500]])
    expect(latestOf(withOlder, 0.25, later)).toEqual(['d2026', 'd2025', 'd2024'])
    expect(latestOf(withOlder, 0.5, later)).toEqual(['d2026', 'd2025', 'd2024', 'd2012'])
    expect(latestOf(calendarOf([]), 0.1, later)).toBeUndefined()
  })
})

test('a range includes the periods of its ends', () => {
  const range = { min: Date.UTC(2025, 10, 30), max: Date.UTC(2026, 1, 1) }
  expect(within(range, calendar)).toEqual({ months: calendar.months.slice(10, 14), years: calendar.years.slice(0, 2) })
  expect(periodsBetween(range.min, range.max)).toEqual(['d2025-11', 'd2025-12', 'd2026-01', 'd2026-02'])
  expect(periodsBetween(range.min, range.min)).toEqual(['d2025-11'])
  expect(periodsBetween(Date.UTC(2023, 11), Date.UTC(2026, 0))).toEqual(['d2023-12', 'd2024', 'd2025', 'd2026-01'])
  expect(periodsBetween(Date.UTC(2024, 4), Date.UTC(2025, 6)), 'a year that is mostly covered').toEqual([
    'd2024',
    'd2025',
  ])
})

test('a range may exceed the calendar', () => {
  expect(within({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }, calendar)).toEqual(calendar)
  expect(periodsBetween(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toEqual(['d9999-12'])
})
