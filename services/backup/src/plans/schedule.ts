import { Failure } from '@icosa/kernel'
import { Cron } from 'croner'

/** A recurring time: `cron(0 5 ? * * *)` or `rate(12 hours)`, in a time zone. */
export interface Schedule {
  readonly expression: string
  readonly timezone: string
}

export const defaultExpression = 'cron(0 5 ? * * *)'

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Returns the next due time, or undefined if there is none. Rejects an invalid expression. */
export function nextTime({ expression, timezone }: Schedule, after: Date): Date | undefined {
  const [, count, unit] = /^rate\((\d{1,6}) (minute|hour|day)s?\)$/.exec(expression) ?? []
  if (count !== undefined && Number(count) > 0)
    return new Date(after.getTime() + Number(count) * unitMs[unit as keyof typeof unitMs])
  const fields = /^cron\(([^()]+)\)$/.exec(expression)?.[1]?.trim().split(/ +/)
  if (fields?.length !== 6) refuse(expression)
  const all = fields.with(4, fromSunday(fields[4] ?? '')).map((field, index) => withRange(field, maxValues[index] ?? 0))
  try {
    const pattern = ['0', ...all].join(' ')
    return new Cron(pattern, { timezone }).nextRun(after) ?? undefined
  } catch {
    return refuse(expression, timezone)
  }
}

/** The maximum minute, hour, day, month, weekday and year. */
const maxValues = [59, 23, 31, 12, 6, 2199]

/** `5/15` is `5-59/15` in minutes: a step, from a start value on. */
const withRange = (field: string, last: number) => field.replace(/(?<=^|,)(\d+|[a-z]{3})(?=\/)/gi, `$1-${last}`)

/** Sunday is 1 in the original, and 0 elsewhere. After # is the number of a week, after / a step. */
const fromSunday = (weekday: string) =>
  weekday.replace(/(?<![#/\d])\d+/g, (day) => (/^[1-7]$/.test(day) ? String(Number(day) - 1) : 'none'))

function refuse(expression: string, timezone = 'Etc/UTC'): never {
  throw new Failure(
    'invalid',
    `'${expression}' in ${timezone} is not a schedule such as cron(0 5 ? * * *) or rate(12 hours) in Europe/Berlin.`,
  )
}
