import { type Db, type Job, job } from '@icosa/kernel'
import { indexSources } from '../../search/index/indexing.ts'
import { lists as sourcesOfLists } from '../../search/index/source-store.ts'
import { lockIndex, remove, tenants } from '../../search/index/store.ts'
import { computeLists } from './compute.ts'
import * as store from './store.ts'

export const curateEveryMs = 6 * 3_600_000

/** Recomputes the lists of all tenants. */
export const curate: Job<object> = job<object>('curate', {
  async run(_, { db, transaction, clock, signal }) {
    for (const tenant of await tenants(db)) {
      if (signal.aborted) return
      const lists = await computeLists(db, tenant, clock.now())
      await transaction(async (writing) => {
        await lockIndex(writing)
        await writeLists(writing, tenant, lists)
        const removedIds = await store.removeComputed(
          writing,
          tenant,
          lists.map(({ id }) => id),
        )
        await remove(writing, tenant, 'list', removedIds)
      })
    }
  },
})

/** Writes lists, and indexes those that changed. */
export async function writeLists(db: Db, tenant: string, lists: readonly store.CuratedList[]): Promise<void> {
  const changedIds = await store.write(db, tenant, lists)
  await indexSources(db, tenant, await sourcesOfLists(db, tenant, changedIds))
}
