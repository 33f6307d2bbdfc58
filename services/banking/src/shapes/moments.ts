/** `2026-01-31 12:00:00.000000`, in UTC. */
export const momentOf = (date: Date): string => date.toISOString().replace('T', ' ').replace('Z', '000')

/** `2026-01-31`, in UTC. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** Parses a time in UTC; undefined if it is invalid. */
export function readMoment(text: string): Date | undefined {
  const date = new Date(`${text.slice(0, 23).replace(' ', 'T')}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}
