import type { Context } from '@icosa/kernel'
import { train, unlearn } from './jobs.ts'
import * as store from './store.ts'

/** Of one group or list, at most one training waits: it will see what was added until it begins. */
export async function requestTraining({ db, jobs, caller, clock }: Context, uid: string): Promise<void> {
  await store.request(db, caller.tenant, uid, clock.now())
  await jobs.enqueue(train, { tenant: caller.tenant, uid }, { key: uid })
}

/** To be called when a face is deleted: it is not only unknown from now on, nothing of it is to be left. */
export async function requestUnlearning({ jobs, caller }: Context, uid: string): Promise<void> {
  await jobs.enqueue(unlearn, { tenant: caller.tenant, uid }, { key: uid })
}
