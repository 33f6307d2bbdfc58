import { implement, isClockFrozen, moveClock, ok } from '@icosa/kernel'
import { clock as contract } from './contract.ts'

export const clock = implement(contract, {
  async getClock(_, { clock: platformClock, db }) {
    return ok({ now: platformClock.now().toISOString(), frozen: await isClockFrozen(db) })
  },

  async moveClock({ body: { to, ...move } }, { db }) {
    const now = await moveClock(db, { ...move, ...(to && { to: new Date(to) }) })
    return ok({ now: now.toISOString(), frozen: await isClockFrozen(db) })
  },
})
