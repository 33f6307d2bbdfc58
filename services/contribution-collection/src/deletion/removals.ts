import type { JobContext } from '@icosa/kernel'
import { removeExportsOf } from '../exports/jobs.ts'
import { removeMediaOf } from '../media/jobs.ts'
import type { ServiceRuntime } from '../runtime.ts'

/** Removes a contribution's blobs. Runs before its rows are deleted, and may run twice. */
export type Removal = (contribution: string, context: JobContext<ServiceRuntime>) => Promise<void>

export const removals: readonly Removal[] = [
  (contribution, { transaction, tenant }) => transaction((db, jobs) => removeExportsOf(db, jobs, tenant, contribution)),
  (contribution, { transaction, tenant }) => transaction((db, jobs) => removeMediaOf(db, jobs, tenant, contribution)),
]
