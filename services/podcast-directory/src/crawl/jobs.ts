import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { DirectorySettings } from '../settings.ts'
import * as hosts from './hosts/store.ts'
import * as turns from './hosts/turn-store.ts'
import { arrive, type SendTo, type Turn, turnsOf } from './hosts/turns.ts'
import * as visits from './visits/store.ts'
import { visitOnce } from './visits/visit-once.ts'

/** Then others get the worker; the host's next turn is behind them. */
const turnMs = 20_000
const turnsAtOnce = 500

export const crawlEveryMs = 5_000

export interface CrawlJobs {
  /** Fetches what is due at one host, one after the other. */
  readonly crawlHost: Job<Turn, ServiceRuntime>
  /** Finds the hosts at which something is due. */
  readonly crawlDue: Job<object>
  readonly sendTo: SendTo
}

export function crawlJobs(settings: DirectorySettings): CrawlJobs {
  const crawlHost = job<Turn, ServiceRuntime>('crawlHost', {
    retries: 10,
    async run({ host, claim }, context) {
      const { db: reading, clock, signal, tenant, transaction } = context
      if (!(await transaction((db) => arrive(db, { host, claim }, clock.now())))) return undefined
      const nextAfter = (other: string) => visits.nextAfter(reading, host, other, clock.now())
      const began = performance.now()
      let backoffMs = 0
      let last = tenant
      let visit = (await visits.nextOf(reading, host, tenant, clock.now())) ?? (await nextAfter(tenant))
      while (visit && !signal.aborted && backoffMs === 0 && performance.now() - began < turnMs) {
        backoffMs = await visitOnce(visit, context, settings, sendTo)
        if (settings.hostPauseMs > 0) await sleep(settings.hostPauseMs, undefined, { signal })
        last = visit.tenant
        visit = await nextAfter(last) // tenants take turns: nobody waits until another has been served
      }
      return async (db, jobs) => {
        const now = clock.now()
        if (backoffMs > 0) return hosts.keep(db, host, claim, new Date(now.getTime() + backoffMs))
        await hosts.giveBack(db, host, claim)
        const next = await visits.nextAfter(db, host, last, now)
        if (next) await give(db, jobs, [{ host, tenant: next.tenant }], now)
      }
    },
    async failed({ host, claim }, db) {
      await hosts.giveBack(db, host, claim)
      await turns.take(db, host, claim)
    },
  })
  const { give, sendTo } = turnsOf(crawlHost)

  const crawlDue = job<object>('crawlDue', {
    lane: 'punctual',
    retries: 0, // the next one is seconds away
    async run(_, { clock, signal, transaction }) {
      const some = () =>
        transaction(async (db, jobs) => {
          const now = clock.now()
          return give(db, jobs, await turns.due(db, now, turnsAtOnce), now)
        })
      while (!signal.aborted && (await some()) > 0);
    },
  })

  return { crawlHost, crawlDue, sendTo }
}
