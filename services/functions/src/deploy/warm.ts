import { Failure, type JobContext, job } from '@icosa/kernel'
import { buildFailure } from '../build/refusal.ts'
import type { Held } from '../held.ts'
import { toRevision } from '../invocations/revision.ts'
import { cold, type RevisionRow } from './store.ts'

/** Starts the revision once: it takes over only if it answers. */
export async function warm(row: RevisionRow, { held, db, vault, tenant }: JobContext<Held>): Promise<void> {
  const instances = await held.instances()
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
export const keepWarm = job<object, Held>('keep-warm', {
  async run(_, { held, db, vault }) {
    const rows = await cold(db)
    const instances = rows.length > 0 ? await held.instances() : undefined
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
