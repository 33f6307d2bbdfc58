import { expect, test } from 'vitest'
import { beginOf, calendarOf, documentsIn, latestOf, monthOf, periodsBetween, within } from './calendar.ts'

/** Ten documents in every month of three years. */
const months = [2024, 2025, 2026].flatMap((year) =>
  Array.from({ length: 12 }, (_, month) => [monthOf(Date.UTC(year, month)).slice(1), 10] as const),
)
const calendar = calendarOf(months)

test('months make years, the latest first', () => {
  expect(calendar.years.map((year) => year.name)).toEqual(['d2026', 'd2025', 'd2024'])
  expect(calendar.months[0]?.name).toBe('d2026-12')
  expect(documentsIn(calendar)).toBe(360)
  expect(
    calendarOf([
      ['2027-01', 5],
      ['2025', 30],
      ['2027-01', 5],
    ]),
  ).toEqual({
    months: [{ name: 'd2027-01', documents: 10 }],
    years: [
      { name: 'd2027', documents: 10 },
      { name: 'd2025', documents: 30 },
    ],
  })
})

test('a period begins with its first day', () => {
  expect([beginOf('d2026-11'), beginOf('d2026')]).toEqual([Date.UTC(2026, 10), Date.UTC(2026, 0)])
})

test('a share of all documents is one of months, or of years if they would be many, or of all', () => {
  expect(latestOf(calendar, 20 / 360)).toEqual(['d2026-12', 'd2026-11'])
  expect(latestOf(calendar, 21 / 360)).toHaveLength(3)
  expect(latestOf(calendar, 240 / 360)).toHaveLength(24)
  expect(latestOf(calendar, 0.7)).toBeUndefined()
  expect(latestOf(calendarOf([...months, ['2010', 1_000]]), 0.25)).toEqual(['d2026', 'd2025', 'd2024'])
  expect(latestOf(calendarOf([]), 0.1)).toBeUndefined()
})

test('a range has the periods of its ends', () => {
  const range = { min: Date.UTC(2025, 10, 30), max: Date.UTC(2026, 1, 1) }
  expect(within(range, calendar)).toEqual({ months: calendar.months.slice(10, 14), years: calendar.years.slice(0, 2) })
  expect(periodsBetween(range.min, range.max)).toEqual(['d2025-11', 'd2025-12', 'd2026-01', 'd2026-02'])
  expect(periodsBetween(range.min, range.min)).toEqual(['d2025-11'])
  expect(periodsBetween(Date.UTC(2024, 0), Date.UTC(2025, 11, 31))).toHaveLength(24)
  expect(periodsBetween(Date.UTC(2024, 0), Date.UTC(2026, 0))).toEqual(['d2024', 'd2025', 'd2026'])
})

test('a range may end where no calendar does', () => {
  expect(within({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }, calendar)).toEqual(calendar)
  expect(periodsBetween(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toEqual(['d9999-12'])
})
