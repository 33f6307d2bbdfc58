import { type Frequency, type Recurrence, type Schedule, weekDays } from './recurrence.ts'

const day = 1_440
const shortestMonth = 28 * day

const minutesIn: Readonly<Record<Frequency, number>> = {
  Minute: 1,
  Hour: 60,
  Day: day,
  Week: 7 * day,
  Month: shortestMonth,
}

/** Minimum length in minutes, ignoring DST changes. */
export function minutesOf({ frequency, interval }: Pick<Recurrence, 'frequency' | 'interval'>): number {
  return minutesIn[frequency] * interval
}

/** Minimum minutes between two occurrences: a schedule can make a daily job run every minute. */
export function pace(recurrence: Recurrence): number {
  const { frequency, schedule = {} } = recurrence
  const period = minutesOf(recurrence)
  if (frequency === 'Minute') return period
  if (frequency === 'Hour') return smallestStep(schedule.minutes ?? [], period)
  const times = timesOfDay(schedule)
  const betweenDays = Math.max(day, smallestStep(daysOf(recurrence), period))
  return smallestStep(times, betweenDays)
}

/** Smallest distance between points on a circle. */
function smallestStep(points: readonly number[], circumference: number): number {
  const sorted = [...new Set(points)].sort((a, b) => a - b)
  const [first] = sorted
  if (first === undefined) return circumference
  return Math.min(...sorted.map((point, index) => (sorted[index + 1] ?? first + circumference) - point))
}

function timesOfDay({ hours, minutes }: Schedule): number[] {
  if (!hours && !minutes) return []
  const ofDay = hours ?? Array.from({ length: 24 }, (_, hour) => hour)
  return ofDay.flatMap((hour) => (minutes ?? [0]).map((minute) => hour * 60 + minute))
}

/** The days of a period, in minutes since its beginning. */
function daysOf({
  frequency,
  schedule: { weekDays: names, monthDays = [], monthlyOccurrences = [] } = {},
}: Recurrence): number[] {
  if (frequency === 'Week') return (names ?? []).map((name) => weekDays.indexOf(name) * day)
  // Days counted from the end or by weekday can be adjacent to any other.
  const mixed = monthlyOccurrences.length > 0 || monthDays.some((number) => number < 0)
  if (!mixed) return monthDays.map((number) => number * day)
  if (monthDays.length + monthlyOccurrences.length > 1) return [0, day]
  return monthlyOccurrences.some(({ Occurrence }) => Occurrence === undefined) ? [0, 7 * day] : []
}
