/** Time format of the API. */
export const seconds = (time: Date) => time.getTime() / 1000
