import { job } from '@icosa/kernel'
import { clearAway, removeGalleries } from '../collections/jobs.ts'
import { learn } from './learn.ts'
import * as store from './store.ts'

interface Input {
  readonly tenant: string
  readonly uid: string
}

/**
 * Writes all faces of a group or list to a new sealed blob, which the last write swaps in. Concurrent comparisons see either
 * the old or the new one.
 */
export const train = job<Input>('train', {
  async run({ uid }, context) {
    const { tenant, blobs, clock } = context
    const startedAt = clock.now()
    const trained = await learn(context, uid, startedAt)
    if (trained.faces === 0) {
      await blobs.delete(trained.gallery)
      return (db) => store.fail(db, tenant, uid, 'There is no face to train with.')
    }
    return async (db, jobs) => {
      if (await store.succeed(db, tenant, uid, { ...trained, startedAt, now: clock.now() }))
        await jobs.enqueue(forgetOld, { uid, gallery: trained.gallery })
      else await jobs.enqueue(clearAway, { uid })
    }
  },
  failed: ({ tenant, uid }, db, { message }) => store.fail(db, tenant, uid, message),
})

/** Rewrites the gallery without the faces deleted since, so that nothing of them is left in the blob. */
export const unlearn = job<Input>('unlearn', {
  async run({ uid }, context) {
    const { tenant, db } = context
    const current = await store.trained(db, tenant, uid)
    if (!current) return
    const trained = await learn(context, uid, current.trainedAt)
    return async (writing, jobs) => {
      // A training that ended meanwhile may include deleted faces.
      if (await store.exchange(writing, tenant, uid, current.gallery, trained))
        await jobs.enqueue(forgetOld, { uid, gallery: trained.gallery })
      else await jobs.enqueue(unlearn, { tenant, uid }, { key: uid })
    }
  },
})

/** Deletes galleries of earlier or overtaken trainings. */
export const forgetOld = job<{ readonly uid: string; readonly gallery: string }>('forgetOld', {
  async run({ uid, gallery }, { blobs }) {
    await removeGalleries(blobs, uid, gallery)
  },
})
