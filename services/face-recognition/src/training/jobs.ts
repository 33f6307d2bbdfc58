import { job } from '@icosa/kernel'
import { clearAway, removeGalleries } from '../collections/jobs.ts'
import { learn } from './learn.ts'
import * as store from './store.ts'

interface Input {
  readonly tenant: string
  readonly uid: string
}

/**
 * Reads all faces of a group or list and puts what tells them apart into one sealed blob, beside the one in use; the last
 * write exchanges the two. Whoever compares a face meanwhile sees the one or the other, and never a part.
 */
export const train = job<Input>('train', {
  async run({ uid }, context) {
    const { tenant, blobs, clock } = context
    const startedAt = clock.now()
    const learnt = await learn(context, uid, startedAt)
    if (learnt.faces === 0) {
      await blobs.delete(learnt.gallery)
      return (db) => store.fail(db, tenant, uid, 'There is no face to learn from.')
    }
    return async (db, jobs) => {
      if (await store.succeed(db, tenant, uid, { ...learnt, startedAt, now: clock.now() }))
        await jobs.enqueue(forgetOld, { uid, gallery: learnt.gallery })
      else await jobs.enqueue(clearAway, { uid })
    }
  },
  failed: ({ tenant, uid }, db, { message }) => store.fail(db, tenant, uid, message),
})

/** Learns again what was learnt, without what was deleted since, so that nothing of it is left in the blob. */
export const unlearn = job<Input>('unlearn', {
  async run({ uid }, context) {
    const { tenant, db } = context
    const known = await store.trained(db, tenant, uid)
    if (!known) return
    const learnt = await learn(context, uid, known.trainedAt)
    return async (writing, jobs) => {
      // A training that ended meanwhile may have seen what is gone by now.
      if (await store.exchange(writing, tenant, uid, known.gallery, learnt))
        await jobs.enqueue(forgetOld, { uid, gallery: learnt.gallery })
      else await jobs.enqueue(unlearn, { tenant, uid }, { key: uid })
    }
  },
})

/** Deletes what earlier trainings found, or a training that was overtaken. */
export const forgetOld = job<{ readonly uid: string; readonly gallery: string }>('forgetOld', {
  async run({ uid, gallery }, { blobs }) {
    await removeGalleries(blobs, uid, gallery)
  },
})
