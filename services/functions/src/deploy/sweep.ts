import { type Blobs, type Job, type JobsOf, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { artifactKey, sourceKey } from '../source/keys.ts'
import * as revisions from './store.ts'

const delayMs = 3_600_000

/** Schedules a sweep of the tenant's blobs, unless one is scheduled. */
export async function sweepLater(jobs: JobsOf, now: Date): Promise<void> {
  await jobs.enqueue(sweepBlobs, {}, { key: 'blobs', at: new Date(now.getTime() + delayMs) })
}

/** Deletes sources and artifacts that no revision needs. Postponed during deployments, which may need one. */
export const sweepBlobs: Job<object, ServiceRuntime> = job<object, ServiceRuntime>('sweep-blobs', {
  async run(_, { tenant, db, blobs, clock }) {
    if (await revisions.isDeploying(db, tenant)) return (_db, jobs) => sweepLater(jobs, clock.now())
    const hashes = await revisions.hashesOf(db, tenant)
    const needed = new Set(hashes.flatMap(({ artifact, source }) => [artifactKey(artifact), sourceKey(source)]))
    for (const prefix of ['artifacts/', 'sources/']) await sweep(blobs, prefix, needed)
    return undefined
  },
})

async function sweep(blobs: Blobs, prefix: string, needed: ReadonlySet<string>): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const { items, next }: Awaited<ReturnType<Blobs['list']>> = await blobs.list(prefix, { limit: 1_000, after })
    for (const { key } of items) if (!needed.has(key)) await blobs.delete(key)
    after = next
  }
}
