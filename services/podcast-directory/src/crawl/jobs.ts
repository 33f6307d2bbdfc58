import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { DirectorySettings } from '../settings.ts'
import * as hosts from './hosts/store.ts'
import * as turns from './hosts/turn-store.ts'
import { acquireHost, type SendTo, type Turn, turnsOf } from './hosts/turns.ts'
import * as visits from './visits/store.ts'
import { visitOnce } from './visits/visit-once.ts'

/** Maximum duration of a turn, so that other hosts get the worker. */
const turnMs = 20_000
const turnsPerBatch = 500

export const crawlEveryMs = 5_000

export interface CrawlJobs {
  /** Makes the due visits at one host sequentially. */
  readonly crawlHost: Job<Turn, ServiceRuntime>
  /** Finds hosts with due visits. */
  readonly crawlDue: Job<object>
  readonly sendTo: SendTo
}

export function crawlJobs(settings: DirectorySettings): CrawlJobs {
  const crawlHost = job<Turn, ServiceRuntime>('crawlHost', {
    retries: 10,
    async run({ host, claim }, context) {
      const { db: reading, clock, signal, tenant, transaction } = context
      if (!(await transaction((db) => acquireHost(db, { host, claim }, clock.now())))) return undefined
      const nextAfter = (served: string) => visits.nextAfter(reading, host, served, clock.now())
      const startedAt = performance.now()
      let backoffMs = 0
      let last = tenant
      let visit = (await visits.nextOf(reading, host, tenant, clock.now())) ?? (await nextAfter(tenant))
      while (visit && !signal.aborted && backoffMs === 0 && performance.now() - startedAt < turnMs) {
        backoffMs = await visitOnce(visit, context, settings, sendTo)
        if (settings.hostPauseMs > 0) await sleep(settings.hostPauseMs, undefined, { signal })
        last = visit.tenant
        visit = await nextAfter(last) // tenants take turns
      }
      return async (db, jobs) => {
        const now = clock.now()
        if (backoffMs > 0) return hosts.renew(db, host, claim, new Date(now.getTime() + backoffMs))
        await hosts.release(db, host, claim)
        const next = await visits.nextAfter(db, host, last, now)
        if (next) await dispatch(db, jobs, [{ host, tenant: next.tenant }], now)
      }
    },
    async failed({ host, claim }, db) {
      await hosts.release(db, host, claim)
      await turns.release(db, host, claim)
    },
  })
  const { dispatch, sendTo } = turnsOf(crawlHost)

  const crawlDue = job<object>('crawlDue', {
    lane: 'punctual',
    retries: 0, // the next one is seconds away
    async run(_, { clock, signal, transaction }) {
      const dispatchBatch = () =>
        transaction(async (db, jobs) => {
          const now = clock.now()
          return dispatch(db, jobs, await turns.due(db, now, turnsPerBatch), now)
        })
      while (!signal.aborted && (await dispatchBatch()) > 0);
    },
  })

  return { crawlHost, crawlDue, sendTo }
}
