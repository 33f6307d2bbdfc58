import type { Context } from '@icosa/kernel'
import { train, unlearn } from './jobs.ts'
import * as store from './store.ts'

/** At most one training per group or list waits: it includes faces added before it starts. */
export async function requestTraining({ db, jobs, caller, clock }: Context, uid: string): Promise<void> {
  await store.request(db, caller.tenant, uid, clock.now())
  await jobs.enqueue(train, { tenant: caller.tenant, uid }, { key: uid })
}

/** Called when a face is deleted, to remove it from the gallery, too. */
export async function requestUnlearning({ jobs, caller }: Context, uid: string): Promise<void> {
  await jobs.enqueue(unlearn, { tenant: caller.tenant, uid }, { key: uid })
}
