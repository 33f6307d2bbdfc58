import fc from 'fast-check'
import { expect, test } from 'vitest'
import { next } from './next.ts'
import { frequencies, type MonthlyOccurrence, type Recurrence, type Schedule, weekDays } from './recurrence.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

const subset = <T>(values: readonly T[], max: number) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: max })
const upTo = (size: number) => Array.from({ length: size }, (_, number) => number)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const nth = fc.record(
  { day: fc.constantFrom(...weekDays), Occurrence: fc.constantFrom(-5, -4, -1, 1, 2, 5) },
  { requiredKeys: ['day'] },
)

/** Valid schedules of each frequency. */
const recurrences: fc.Arbitrary<Recurrence> = fc
  .record({
    frequency: fc.constantFrom(...frequencies),
    interval: fc.integer({ min: 1, max: 5 }),
    minutes: maybe(subset(upTo(60), 4)),
    hours: maybe(subset(upTo(24), 4)),
    weekDays: maybe(subset(weekDays, 4)),
    monthDays: maybe(subset([1, 2, 15, 28, 29, 30, 31, -1, -2, -31], 4)),
    monthlyOccurrences: maybe(fc.array(nth, { minLength: 1, maxLength: 3 })),
  })
  .map(({ frequency, interval, minutes, hours, ...days }) => ({
    frequency,
    interval,
    schedule: {
      ...(minutes && { minutes }),
      ...(hours && { hours }),
      ...(frequency === 'Week' && days.weekDays && { weekDays: days.weekDays }),
      ...(frequency === 'Month' && days.monthDays && { monthDays: days.monthDays }),
      ...(frequency === 'Month' &&
        days.monthlyOccurrences && { monthlyOccurrences: days.monthlyOccurrences as MonthlyOccurrence[] }),
    },
  }))

const starts = fc
  .integer({ min: 0, max: 3_000 * 1440 })
  .map((minute) => new Date(Date.UTC(2024, 0, 1) + minute * minuteMs))

/** Whether a minute in UTC is an occurrence: an independent implementation of the rules. */
function isOccurrence(at: Date, start: Date, { frequency, interval, schedule = {} }: Recurrence): boolean {
  if (at < start || !onDay(at, start, frequency, schedule)) return false
  const { minutes, hours } = schedule
  const sameMinute = at.getUTCMinutes() === start.getUTCMinutes()
  const minuteFits = minutes ? minutes.includes(at.getUTCMinutes()) : frequency === 'Minute' || sameMinute
  const free = frequency === 'Minute' || frequency === 'Hour' || minutes !== undefined
  const hourFits = hours ? hours.includes(at.getUTCHours()) : free || at.getUTCHours() === start.getUTCHours()
  return minuteFits && hourFits && periodsBetween(start, at, frequency) % interval === 0
}

function periodsBetween(start: Date, at: Date, frequency: Recurrence['frequency']): number {
  const whole = (size: number, from = 0) =>
    Math.floor((at.getTime() - from) / size) - Math.floor((start.getTime() - from) / size)
  if (frequency === 'Minute') return whole(minuteMs)
  if (frequency === 'Hour') return whole(60 * minuteMs)
  if (frequency === 'Day') return whole(dayMs)
  if (frequency === 'Week') return whole(7 * dayMs, Date.UTC(2023, 0, 1)) // a Sunday
  return (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth()
}

function onDay(at: Date, start: Date, frequency: Recurrence['frequency'], schedule: Schedule): boolean {
  if (frequency === 'Week')
    return schedule.weekDays
      ? schedule.weekDays.includes(weekDays[at.getUTCDay()] as never)
      : at.getUTCDay() === start.getUTCDay()
  if (frequency !== 'Month') return true
  const { monthDays, monthlyOccurrences } = schedule
  const length = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  const day = at.getUTCDate()
  if (!monthDays && !monthlyOccurrences) return day === Math.min(start.getUTCDate(), length)
  const numbered = monthDays?.some((number) => day === number || day === length + 1 + number)
  const counted = monthlyOccurrences?.some(
    ({ day: name, Occurrence: count }) =>
      weekDays[at.getUTCDay()] === name &&
      (count === undefined || count === Math.ceil(day / 7) || count === -Math.ceil((length + 1 - day) / 7)),
  )
  return Boolean(numbered || counted)
}

test('in UTC, next() matches a brute-force search of every minute in a hundred days', () => {
  let total = 0
  fc.assert(
    fc.property(recurrences, starts, fc.integer({ min: 0, max: 400 }), (recurrence, start, daysLater) => {
      const from = new Date(start.getTime() + daysLater * dayMs)
      const until = from.getTime() + 100 * dayMs
      let after = new Date(from.getTime() - minuteMs)
      let actual = next(after, recurrence, start, 'UTC')
      let compared = 0
      for (let at = from.getTime(); at < until && compared < 200; at += minuteMs) {
        if (!isOccurrence(new Date(at), start, recurrence)) continue
        expect(actual?.toISOString()).toBe(new Date(at).toISOString())
        after = new Date(at)
        actual = next(after, recurrence, start, 'UTC')
        compared++
      }
      if (compared < 200) expect(actual?.getTime() ?? until).toBeGreaterThanOrEqual(until)
      total += compared
    }),
    { numRuns: 60, seed: Number(process.env.SEED ?? 376) },
  )
  console.log(`${total} occurrences compared`)
  expect(total).toBeGreaterThan(2_000)
})
