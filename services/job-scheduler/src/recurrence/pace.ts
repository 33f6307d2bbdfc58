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

/** How many minutes pass at least between two of so many units. Clocks that change are left out of account. */
export function minutesOf({ frequency, interval }: Pick<Recurrence, 'frequency' | 'interval'>): number {
  return minutesIn[frequency] * interval
}

/** How many minutes pass at least between two occurrences: a schedule can make a daily job happen every minute. */
export function pace(recurrence: Recurrence): number {
  const { frequency, schedule = {} } = recurrence
  const period = minutesOf(recurrence)
  if (frequency === 'Minute') return period
  if (frequency === 'Hour') return smallestStep(schedule.minutes ?? [], period)
  const times = timesOfDay(schedule)
  const betweenDays = Math.max(day, smallestStep(daysOf(recurrence), period))
  return smallestStep(times, betweenDays)
}

/** The smallest distance between places on a circle. */
function smallestStep(places: readonly number[], around: number): number {
  const sorted = [...new Set(places)].sort((one, other) => one - other)
  const [first] = sorted
  if (first === undefined) return around
  return Math.min(...sorted.map((place, index) => (sorted[index + 1] ?? first + around) - place))
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
  // Counted from the end and by weekday, days of a month can be next to any other.
  const mixed = monthlyOccurrences.length > 0 || monthDays.some((number) => number < 0)
  if (!mixed) return monthDays.map((number) => number * day)
  if (monthDays.length + monthlyOccurrences.length > 1) return [0, day]
  return monthlyOccurrences.some(({ Occurrence }) => Occurrence === undefined) ? [0, 7 * day] : []
}
