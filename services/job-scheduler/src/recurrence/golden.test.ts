import { expect, test } from 'vitest'
import { next } from './next.ts'
import type { Recurrence } from './recurrence.ts'

const berlin = 'Europe/Berlin'

/** The first occurrences from a start, as `2026-03-29T01:00Z`. */
function first(count: number, start: string, recurrence: Recurrence, zone = 'UTC'): string[] {
  const occurrences: string[] = []
  let after = new Date(new Date(start).getTime() - 1)
  for (
    let at = next(after, recurrence, new Date(start), zone);
    at;
    at = next(after, recurrence, new Date(start), zone)
  ) {
    occurrences.push(at.toISOString().replace(':00.000Z', 'Z'))
    if (occurrences.length === count) break
    after = at
  }
  return occurrences
}

const daily = (hours: number[], minutes: number[]): Recurrence => ({
  frequency: 'Day',
  interval: 1,
  schedule: { hours, minutes },
})

interface Golden {
  readonly name: string
  readonly start: string
  readonly recurrence: Recurrence
  readonly zone?: string
  readonly expected: readonly string[]
}

const golden: readonly Golden[] = [
  {
    name: 'in Berlin, 6 o’clock stays 6 o’clock when summer time begins in 2026',
    start: '2026-03-27T12:00:00Z',
    recurrence: daily([6], [0]),
    zone: berlin,
    expected: ['2026-03-28T05:00Z', '2026-03-29T04:00Z', '2026-03-30T04:00Z'],
  },
  {
    name: 'half past two does not exist on 2026-03-29: it occurs when the clocks jump to three',
    start: '2026-03-27T12:00:00Z',
    recurrence: daily([2], [30]),
    zone: berlin,
    expected: ['2026-03-28T01:30Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z'],
  },
  {
    name: 'times that the clocks skip occur once, at the change',
    start: '2026-03-28T20:00:00Z',
    recurrence: daily([2, 3], [0, 30]),
    zone: berlin,
    expected: ['2026-03-29T01:00Z', '2026-03-29T01:30Z', '2026-03-30T00:00Z', '2026-03-30T00:30Z'],
  },
  {
    name: 'half past two exists twice on 2026-10-25: it occurs the first time',
    start: '2026-10-23T12:00:00Z',
    recurrence: daily([2], [30]),
    zone: berlin,
    expected: ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  },
  {
    name: 'in 2027 the clocks change on 28 March and 31 October',
    start: '2027-03-26T12:00:00Z',
    recurrence: { ...daily([2], [30]), interval: 217 },
    zone: berlin,
    expected: ['2027-10-29T00:30Z', '2028-06-02T00:30Z'],
  },
  {
    name: 'around 28 March 2027',
    start: '2027-03-27T12:00:00Z',
    recurrence: daily([2], [15]),
    zone: berlin,
    expected: ['2027-03-28T01:00Z', '2027-03-29T00:15Z'],
  },
  {
    name: 'around 31 October 2027',
    start: '2027-10-30T12:00:00Z',
    recurrence: daily([2], [15]),
    zone: berlin,
    expected: ['2027-10-31T00:15Z', '2027-11-01T01:15Z'],
  },
  {
    name: 'an hourly job runs in both instances of a repeated hour',
    start: '2026-10-24T23:15:00Z',
    recurrence: { frequency: 'Hour', interval: 1, schedule: { minutes: [15] } },
    zone: berlin,
    expected: ['2026-10-24T23:15Z', '2026-10-25T00:15Z', '2026-10-25T01:15Z', '2026-10-25T02:15Z'],
  },
  {
    name: 'an offset can be a zone',
    start: '2026-03-27T00:00:00Z',
    recurrence: daily([9], [0]),
    zone: '+05:30',
    expected: ['2026-03-27T03:30Z', '2026-03-28T03:30Z'],
  },
  {
    name: 'a job that starts on the 31st runs at the end of every month',
    start: '2027-12-31T08:00:00Z',
    recurrence: { frequency: 'Month', interval: 1 },
    expected: ['2027-12-31T08:00Z', '2028-01-31T08:00Z', '2028-02-29T08:00Z', '2028-03-31T08:00Z', '2028-04-30T08:00Z'],
  },
  {
    name: 'a schedule for day 31 applies only to months that have one',
    start: '2026-01-01T08:00:00Z',
    recurrence: { frequency: 'Month', interval: 1, schedule: { monthDays: [31] } },
    expected: ['2026-01-31T08:00Z', '2026-03-31T08:00Z', '2026-05-31T08:00Z'],
  },
  {
    name: 'the last and the second to last day of a month',
    start: '2028-02-01T06:00:00Z',
    recurrence: { frequency: 'Month', interval: 1, schedule: { monthDays: [-1, -2] } },
    expected: ['2028-02-28T06:00Z', '2028-02-29T06:00Z', '2028-03-30T06:00Z', '2028-03-31T06:00Z'],
  },
  {
    name: '29 February occurs in leap years, and not in 2100',
    start: '2092-02-01T06:00:00Z',
    recurrence: { frequency: 'Month', interval: 12, schedule: { monthDays: [29] } },
    expected: ['2092-02-29T06:00Z', '2096-02-29T06:00Z', '2104-02-29T06:00Z'],
  },
  {
    name: '30 February never occurs',
    start: '2026-02-01T06:00:00Z',
    recurrence: { frequency: 'Month', interval: 12, schedule: { monthDays: [30] } },
    expected: [],
  },
  {
    name: 'the last Friday of a month in Berlin, across DST changes',
    start: '2026-03-01T00:00:00Z',
    recurrence: {
      frequency: 'Month',
      interval: 1,
      schedule: { hours: [17], minutes: [0], monthlyOccurrences: [{ day: 'Friday', Occurrence: -1 }] },
    },
    zone: berlin,
    expected: ['2026-03-27T16:00Z', '2026-04-24T15:00Z', '2026-05-29T15:00Z'],
  },
  {
    name: 'the fifth Friday occurs only in months that have one',
    start: '2026-01-01T05:00:00Z',
    recurrence: {
      frequency: 'Month',
      interval: 1,
      schedule: { monthlyOccurrences: [{ day: 'Friday', Occurrence: 5 }] },
    },
    expected: ['2026-01-30T05:00Z', '2026-05-29T05:00Z', '2026-07-31T05:00Z'],
  },
  {
    name: 'weeks begin on Sunday in a biweekly schedule',
    start: '2026-01-07T09:00:00Z', // a Wednesday
    recurrence: { frequency: 'Week', interval: 2, schedule: { weekDays: ['Monday', 'Friday'] } },
    expected: ['2026-01-09T09:00Z', '2026-01-19T09:00Z', '2026-01-23T09:00Z', '2026-02-02T09:00Z'],
  },
  {
    name: 'minutes without hours apply to every hour of the day',
    start: '2026-01-07T22:10:00Z',
    recurrence: { frequency: 'Day', interval: 2, schedule: { minutes: [0, 30] } },
    expected: ['2026-01-07T22:30Z', '2026-01-07T23:00Z', '2026-01-07T23:30Z', '2026-01-09T00:00Z'],
  },
  {
    name: 'every 20 minutes, but only between nine and ten',
    start: '2026-01-07T09:10:00Z',
    recurrence: { frequency: 'Minute', interval: 20, schedule: { hours: [9] } },
    expected: ['2026-01-07T09:10Z', '2026-01-07T09:30Z', '2026-01-07T09:50Z', '2026-01-08T09:10Z'],
  },
  {
    name: 'the end time is inclusive',
    start: '2026-01-07T09:00:00Z',
    recurrence: { frequency: 'Hour', interval: 6, endTime: '2026-01-07T21:00:00Z' },
    expected: ['2026-01-07T09:00Z', '2026-01-07T15:00Z', '2026-01-07T21:00Z'],
  },
]

test.each(golden)('$name', ({ start, recurrence, zone, expected }) => {
  expect(first(Math.max(expected.length, 1), start, recurrence, zone)).toEqual(expected)
})

test('handles a missing midnight, a missing day and half-hour DST changes', () => {
  const midnight = daily([0], [0])
  expect(first(2, '2018-11-03T12:00:00Z', midnight, 'America/Sao_Paulo')).toEqual([
    '2018-11-04T03:00Z',
    '2018-11-05T02:00Z',
  ])
  // Samoa had no 30 December 2011: it went from the 29th to the 31st.
  expect(first(3, '2011-12-29T12:00:00Z', daily([9], [0]), 'Pacific/Apia')).toEqual([
    '2011-12-29T19:00Z',
    '2011-12-30T10:00Z',
    '2011-12-30T19:00Z',
  ])
  const hourly: Recurrence = { frequency: 'Hour', interval: 1, schedule: { minutes: [0] } }
  expect(first(3, '2026-10-03T14:00:00Z', hourly, 'Australia/Lord_Howe')).toEqual([
    '2026-10-03T14:30Z', // one o'clock; two is skipped
    '2026-10-03T16:00Z',
    '2026-10-03T17:00Z',
  ])
})
