export const frequencies = ['Minute', 'Hour', 'Day', 'Week', 'Month'] as const
export type Frequency = (typeof frequencies)[number]

/** In the order of `Date.getUTCDay()`. */
export const weekDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
export type WeekDay = (typeof weekDays)[number]

export interface MonthlyOccurrence {
  readonly day: WeekDay
  /** 1 is the first of a month, -1 the last; every one if it is left out. */
  readonly Occurrence?: number
}

/** What expands or limits a recurrence. An absent list says nothing. */
export interface Schedule {
  readonly minutes?: number[]
  readonly hours?: number[]
  readonly weekDays?: WeekDay[]
  /** 1 to 31, or -1 for the last of a month and so on down. */
  readonly monthDays?: number[]
  readonly monthlyOccurrences?: MonthlyOccurrence[]
}

export interface Recurrence {
  readonly frequency: Frequency
  readonly interval: number
  readonly schedule?: Schedule
  /** Nothing happens after it; at it, something may. */
  readonly endTime?: string
  /** How often it happens; whoever calls `next` counts. */
  readonly count?: number
  /** Where the hours of the schedule are. */
  readonly timeZone?: string
}
