/** Seconds since 1970, as in requests and responses. */
export const seconds = (time: Date) => time.getTime() / 1000

/** A member that is omitted without a time. */
export const timed = <Name extends string>(name: Name, time: Date | null) =>
  (time ? { [name]: seconds(time) } : {}) as { [K in Name]?: number }

export const dayMs = 86_400_000
export const after = (time: Date, days: number) => new Date(time.getTime() + days * dayMs)
