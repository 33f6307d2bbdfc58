import { job } from '@icosa/kernel'
import { newEtag } from '../data-plane/etag.ts'
import { selectionOf } from './read.ts'
import * as store from './store.ts'

export interface SnapshotWork {
  readonly tenant: string
  /** ID of the store. */
  readonly id: string
  readonly name: string
}

/** Copies key-values as of the time of the request, however late the job runs. */
export const takeSnapshot = job<SnapshotWork>('takeSnapshot', {
  async run(work, { clock }) {
    return async (db) => {
      await store.shareLockStore(db, work)
      const snapshot = await store.lock(db, work, work.name)
      if (snapshot?.status !== 'provisioning') return
      const replaces = snapshot.compositionType === 'key'
      for (const filter of snapshot.filters)
        await store.copy(db, work, work.name, selectionOf(filter), { asOf: snapshot.createdAt, replaces })
      await store.measure(db, work, work.name)
      const change = { status: 'ready', etag: newEtag(), modifiedAt: clock.now(), expiresAt: null } as const
      await store.setStatus(db, work, work.name, change)
    }
  },
  async failed(work, db) {
    const snapshot = await store.lock(db, work, work.name)
    if (snapshot?.status === 'provisioning')
      await store.setStatus(db, work, work.name, { ...snapshot, status: 'failed', etag: newEtag() })
  },
})
