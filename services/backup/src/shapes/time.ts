/** A time as this interface writes it. */
export const seconds = (time: Date) => time.getTime() / 1000

/** A member that is there if there is a time. */
export const timed = <Name extends string>(name: Name, time: Date | null) =>
  (time ? { [name]: seconds(time) } : {}) as { [K in Name]?: number }

export const dayMs = 86_400_000
export const after = (time: Date, days: number) => new Date(time.getTime() + days * dayMs)
