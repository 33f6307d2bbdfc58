/**
 * For each place that is left free, a tenant may hold so many. One that has work for all places holds three quarters of
 * them; two hold three sevenths each; and so on: however many there are, whoever comes next finds a free place.
 */
export const heldPerFree = 3

/** Whether a tenant may take another place. The first one it may always take. */
export function isWithinShare(held: number, free: number): boolean {
  return free > 0 && (held === 0 || held + 1 <= heldPerFree * (free - 1))
}
