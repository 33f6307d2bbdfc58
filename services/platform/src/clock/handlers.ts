import { implement, invalid, moveClock, ok } from '@icosa/kernel'
import { clock as contract } from './contract.ts'

export const clock = implement(contract, {
  async getClock(_, { clock: platformClock }) {
    return ok({ now: platformClock.now().toISOString() })
  },

  async moveClock({ body: { to, ...move } }, { db }) {
    const now = await moveClock(db, { ...move, ...(to && { to: readTime(to) }) })
    return ok({ now: now.toISOString() })
  },
})

function readTime(text: string): Date {
  const time = new Date(text)
  const year = time.getUTCFullYear()
  if (!(year >= 1970 && year < 4000)) invalid([{ at: 'body/to', message: 'must be a time between 1970 and 4000' }])
  return time
}
