import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import type { SendTo } from '../crawl/hosts/turns.ts'
import * as visits from '../crawl/visits/store.ts'
import type { Links } from '../links.ts'
import { toPodcastMinimum } from '../podcasts/view.ts'
import { feeds as contract } from './contract.ts'
import { remove } from './remove.ts'
import { lock } from './save/podcast-store.ts'
import { feedAddress, submitNow } from './submit.ts'

/** Minimum interval between refreshes. */
const refreshEveryMs = 60_000
/** A reason for dry runs, which delete nothing. */
const dryRunReason = 'testing'

const statusNames = { listed: 'found', 'in review': 'in review', rejected: 'rejected', deleted: 'rejected' } as const

export function feeds({ links, sendTo }: { readonly links: Links; readonly sendTo: SendTo }): Resource {
  return implement(contract, {
    async submitPodcast({ body: { rss, email = '' } }, { db, jobs, caller, clock }) {
      const submission = { rss: feedAddress(rss), email }
      const podcast = await submitNow(db, jobs, sendTo, caller.tenant, submission, clock.now())
      return ok({ status: statusNames[podcast.status], podcast: toPodcastMinimum(podcast, links) })
    },

    async refreshRss({ params }, { db, jobs, caller, clock }) {
      const key = { tenant: caller.tenant, kind: 'feed' as const, id: params.id }
      const visit = (await visits.find(db, key)) ?? notFound('podcast', params.id)
      const now = clock.now()
      const last = visit.visitedAt?.getTime() ?? null
      const isFresh = last !== null && now.getTime() - last < refreshEveryMs
      if (!isFresh) {
        await visits.hasten(db, key, now)
        await sendTo(db, jobs, { host: visit.host, tenant: caller.tenant }, now)
      }
      return ok({ status: isFresh ? 'refreshed' : 'refreshing', last_refreshed_at_ms: last })
    },

    async deletePodcastById({ params, query: { reason = '' } }, { db, jobs, caller, clock }) {
      const id = params.id
      const podcast = (await lock(db, { tenant: caller.tenant, id })) ?? notFound('podcast', id)
      if (podcast.status === 'deleted') return ok({ status: 'deleted' })
      if (reason.trim().toLowerCase() === dryRunReason) return ok({ status: 'in review' })
      await remove(db, jobs, podcast, reason, clock.now())
      return ok({ status: 'deleted' })
    },
  })
}
