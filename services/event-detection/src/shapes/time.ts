/** A time as this interface writes it. */
export const seconds = (time: Date) => time.getTime() / 1000
