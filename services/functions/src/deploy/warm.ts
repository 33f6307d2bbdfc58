import { Failure, type JobContext, job } from '@icosa/kernel'
import { buildFailure } from '../build/refusal.ts'
import { keyInaccessible } from '../encryption/data-keys.ts'
import { toRevision } from '../invocations/revision.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { cold, type RevisionRow } from './store.ts'

/** Starts a revision once, to verify that it is healthy. */
export async function warm(
  row: RevisionRow,
  { runtime, db, cellVault, tenant }: JobContext<ServiceRuntime>,
): Promise<void> {
  const instances = await runtime.instances()
  const revision = await toRevision({ db, cellVault, keys: runtime.keys }, tenant, row)
  await instances.warm(revision).catch(async (error: unknown) => {
    await instances.retire(revision)
    if (!(error instanceof Failure) || isInternal(error) || error.code === keyInaccessible) throw error
    throw buildFailure('NotHealthy', error.message)
  })
}

/** Caused by the platform, not the function, and retryable. */
const isInternal = ({ kind, retryAfterSeconds }: Failure) =>
  kind === 'internal' || kind === 'rateLimited' || (kind === 'unavailable' && retryAfterSeconds !== undefined)

/** Restores the minimum of instances after their nodes have stopped. From then on their node maintains it. */
export const keepWarm = job<object, ServiceRuntime>('keep-warm', {
  async run(_, { runtime, db, cellVault }) {
    const rows = await cold(db)
    const instances = rows.length > 0 ? await runtime.instances() : undefined
    // A failure to start is in the log of the function, and does not affect the others.
    for (const { tenant, ...row } of rows)
      await toRevision({ db, cellVault, keys: runtime.keys }, tenant, row)
        .then((revision) => instances?.warm(revision))
        .catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error
        })
    return undefined
  },
})
