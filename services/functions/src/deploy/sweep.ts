import { type Blobs, type Job, type JobsOf, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { artifactKey, sourceKey } from '../source/keys.ts'
import * as revisions from './store.ts'

const laterMs = 3_600_000

/** Asks for a sweep of the tenant's blobs in a while: one for all that happens until then. */
export async function sweepLater(jobs: JobsOf, now: Date): Promise<void> {
  await jobs.enqueue(sweepBlobs, {}, { key: 'blobs', at: new Date(now.getTime() + laterMs) })
}

/** Removes sources and artifacts that no revision needs. While something is deployed it waits: that may be about to need one. */
export const sweepBlobs: Job<object, ServiceRuntime> = job<object, ServiceRuntime>('sweep-blobs', {
  async run(_, { tenant, db, blobs, clock }) {
    if (await revisions.isDeploying(db, tenant)) return (_db, jobs) => sweepLater(jobs, clock.now())
    const needed = await revisions.hashesOf(db, tenant)
    const kept = new Set(needed.flatMap(({ artifact, source }) => [artifactKey(artifact), sourceKey(source)]))
    for (const prefix of ['artifacts/', 'sources/']) await sweep(blobs, prefix, kept)
    return undefined
  },
})

async function sweep(blobs: Blobs, prefix: string, kept: ReadonlySet<string>): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const { items, next }: Awaited<ReturnType<Blobs['list']>> = await blobs.list(prefix, { limit: 1_000, after })
    for (const { key } of items) if (!kept.has(key)) await blobs.delete(key)
    after = next
  }
}
