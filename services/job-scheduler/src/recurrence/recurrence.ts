export const frequencies = ['Minute', 'Hour', 'Day', 'Week', 'Month'] as const
export type Frequency = (typeof frequencies)[number]

/** In the order of `Date.getUTCDay()`. */
export const weekDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export type WeekDay = (typeof weekDays)[number]

export interface MonthlyOccurrence {
  readonly day: WeekDay
  /** 1 is the first in a month, -1 the last; omitted, all of them. */
  readonly Occurrence?: number
}

/** Expands or limits a recurrence. */
export interface Schedule {
  readonly minutes?: number[]
  readonly hours?: number[]
  readonly weekDays?: WeekDay[]
  /** 1 to 31, or -1 for the last day, -2 for the day before, and so on. */
  readonly monthDays?: number[]
  readonly monthlyOccurrences?: MonthlyOccurrence[]
}

export interface Recurrence {
  readonly frequency: Frequency
  readonly interval: number
  readonly schedule?: Schedule
  /** Inclusive. */
  readonly endTime?: string
  /** Maximum number of occurrences, counted by the callers of `next`. */
  readonly count?: number
  /** For the hours of the schedule. */
  readonly timeZone?: string
}
