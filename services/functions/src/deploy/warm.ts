import { Failure, type JobContext } from '@icosa/kernel'
import { buildFailure } from '../build/refusal.ts'
import type { Held } from '../held.ts'
import { toRevision } from '../invocations/revision.ts'
import type { RevisionRow } from './store.ts'

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

/** Of the machine, and not of the function: it is tried again. */
const isOurs = ({ kind }: Failure) => kind === 'internal' || kind === 'rateLimited'
