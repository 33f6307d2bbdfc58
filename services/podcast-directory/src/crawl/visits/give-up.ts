import type { JobContext } from '@icosa/kernel'
import { retryAfterMs } from '../pace.ts'
import type { Failed } from './purpose.ts'
import * as visits from './store.ts'
import type { Visit } from './visit.ts'

const maxAttempts = 3

/** For optional parts of a podcast. */
export async function giveUpOrRetry(
  visit: Visit,
  { reason, lasting, backoffMs = 0 }: Failed,
  context: JobContext,
): Promise<void> {
  const failures = visit.failures + 1
  const now = context.clock.now()
  await context.transaction(async (db) => {
    if (lasting || failures >= maxAttempts) return visits.remove(db, visit)
    const dueAt = new Date(now.getTime() + Math.max(retryAfterMs(failures) ?? 0, backoffMs))
    await visits.fail(db, visit, { url: visit.url, error: reason, dueAt }, now)
  })
}
