import { Failure, type JobContext, job } from '@icosa/kernel'
import { buildFailure } from '../build/refusal.ts'
import { toRevision } from '../invocations/revision.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { cold, type RevisionRow } from './store.ts'

/** Starts the revision once: it takes over only if it answers. */
export async function warm(
  row: RevisionRow,
  { runtime, db, vault, tenant }: JobContext<ServiceRuntime>,
): Promise<void> {
  const instances = await runtime.instances()
  const revision = await toRevision({ db, vault }, tenant, row)
  await instances.warm(revision).catch(async (error: unknown) => {
    await instances.retire(revision.id)
    if (!(error instanceof Failure) || isOurs(error)) throw error
    throw buildFailure('NotHealthy', error.message)
  })
}

/** Of the machine, and not of the function: it is tried again, unless there is nothing to hope for. */
const isOurs = ({ kind, retryAfterSeconds }: Failure) =>
  kind === 'internal' || kind === 'rateLimited' || (kind === 'unavailable' && retryAfterSeconds !== undefined)

/** Starts what is to run at all times and does not, since the nodes that ran it are gone. From then on its node keeps it. */
export const keepWarm = job<object, ServiceRuntime>('keep-warm', {
  async run(_, { runtime, db, vault }) {
    const rows = await cold(db)
    const instances = rows.length > 0 ? await runtime.instances() : undefined
    // One that does not start is told so in its log, and keeps none of the others from starting.
    for (const { tenant, ...row } of rows)
      await toRevision({ db, vault }, tenant, row)
        .then((revision) => instances?.warm(revision))
        .catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error
        })
    return undefined
  },
})
