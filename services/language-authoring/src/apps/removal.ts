import type { Db, JobsOf } from '@icosa/kernel'
import { cancelTrainings, clearAway } from '../training/jobs.ts'
import * as versions from '../versions/store.ts'
import { remove } from './store.ts'

/** Deletes an app and its versions; a job deletes the rest. */
export async function removeApp(db: Db, jobs: JobsOf, tenant: string, id: string): Promise<void> {
  const all = await versions.allOf(db, tenant, id)
  await cancelTrainings(jobs, all)
  await remove(db, tenant, id)
  await jobs.enqueue(clearAway, { app: id, versions: all.map(({ uid }) => uid), isWhole: true })
}
