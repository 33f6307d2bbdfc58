import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, type Job, job } from '@icosa/kernel'
import type { DirectorySettings } from '../settings.ts'
import * as hosts from './host-store.ts'
import { claimMs, type SendTo, type Turn, turnsOf } from './turns.ts'
import * as visits from './visit-store.ts'
import { visitOnce } from './visiting.ts'

/** Then others get the worker; the host's next turn is behind them. */
const turnMs = 20_000
const hostsAtOnce = 500

export const crawlEveryMs = 5_000

export interface CrawlJobs {
  /** Fetches what is due at one host, one after the other. */
  readonly crawlHost: Job<Turn>
  /** Finds the hosts at which something is due. */
  readonly crawlDue: Job<object>
  readonly sendTo: SendTo
}

export function crawlJobs(settings: DirectorySettings): CrawlJobs {
  const crawlHost = job<Turn>('crawlHost', {
    retries: 10,
    async run({ host, claim }, context) {
      const { db: reading, clock, signal, transaction } = context
      const keep = (db: Db, forMs: number) => hosts.keep(db, host, claim, new Date(clock.now().getTime() + forMs))
      if (!(await transaction((db) => keep(db, claimMs)))) return undefined // it took too long: another has the host
      const began = performance.now()
      let restMs = 0
      while (!signal.aborted && restMs === 0 && performance.now() - began < turnMs) {
        const visit = await visits.nextAt(reading, host, clock.now())
        if (!visit) break
        restMs = await visitOnce(visit, context, settings, sendTo)
        if (settings.hostPauseMs > 0) await sleep(settings.hostPauseMs, undefined, { signal })
      }
      return async (db, jobs) => {
        if (restMs > 0) return keep(db, restMs)
        await hosts.giveBack(db, host, claim)
        await sendTo(db, jobs, [host], clock.now())
      }
    },
    failed: ({ host, claim }, db) => hosts.giveBack(db, host, claim),
  })
  const { give, sendTo } = turnsOf(crawlHost)

  const crawlDue = job<object>('crawlDue', {
    retries: 0, // the next one is seconds away
    async run(_, { clock, signal, transaction }) {
      const some = () =>
        transaction(async (db, jobs) => {
          const now = clock.now()
          return give(db, jobs, await hosts.dueHosts(db, now, hostsAtOnce), now)
        })
      while (!signal.aborted && (await some()) > 0);
    },
  })

  return { crawlHost, crawlDue, sendTo }
}
