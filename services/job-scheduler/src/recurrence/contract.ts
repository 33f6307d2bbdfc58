import { extension, named, type Static, Type } from '@icosa/contract'
import { spelled } from '../spelling/contract.ts'

export const Frequency = spelled('Minute', 'Hour', 'Day', 'Week', 'Month')
const WeekDay = spelled('Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday')

/** A date, or a date and time of ISO 8601; without an offset it is in UTC. */
export const DateTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})?)?$',
  description: 'ISO 8601; in UTC if it has no offset.',
})

const JobRecurrenceSchedule = named('JobRecurrenceSchedule', {
  weekDays: Type.Optional(Type.Array(WeekDay, { maxItems: 7 })),
  hours: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 23 }), { maxItems: 24 })),
  minutes: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 59 }), { maxItems: 60 })),
  monthDays: Type.Optional(Type.Array(Type.Integer({ minimum: -31, maximum: 31 }), { maxItems: 62 })),
  monthlyOccurrences: Type.Optional(
    Type.Array(
      named('JobRecurrenceScheduleMonthlyOccurrence', {
        day: Type.Optional(WeekDay),
        Occurrence: Type.Optional(Type.Integer({ minimum: -5, maximum: 5 })),
      }),
      { maxItems: 77 },
    ),
  ),
})
export interface ScheduleInput extends Static<typeof JobRecurrenceSchedule> {}

export const JobRecurrence = named('JobRecurrence', {
  frequency: Type.Optional(Frequency),
  interval: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  endTime: Type.Optional(DateTime),
  schedule: Type.Optional(JobRecurrenceSchedule),
  timeZone: extension(
    Type.Optional(Type.String({ maxLength: 100, description: 'Time zone of the schedule: an IANA name.' })),
  ),
})
export interface RecurrenceInput extends Static<typeof JobRecurrence> {}
