import type { Db, JobsOf } from '@icosa/kernel'
import { cancelTrainings, clearAway } from '../training/jobs.ts'
import * as versions from '../versions/store.ts'
import { remove } from './store.ts'

/** An app with all of its versions: what it has besides goes in the background. */
export async function removeApp(db: Db, jobs: JobsOf, tenant: string, id: string): Promise<void> {
  const all = await versions.allOf(db, tenant, id)
  await cancelTrainings(jobs, all)
  await remove(db, tenant, id)
  await jobs.enqueue(clearAway, { app: id, versions: all.map(({ uid }) => uid), isWhole: true })
}
