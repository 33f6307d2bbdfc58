import { type Blobs, blobPrefix } from './blobs.ts'
import type { ReadingDb } from './db/db.ts'
import { type Job, job } from './jobs/jobs.ts'
import type { Service } from './service.ts'

/** Returns those keys that are referenced by rows. */
export type KeysInUse = (db: ReadingDb, tenant: string, keys: readonly string[]) => Promise<readonly string[]>

/**
 * How orphaned blobs are found, by key prefix: a blob is written before its row's transaction, which may fail.
 * Unreferenced blobs are deleted after a day; or a text explains what else deletes them.
 */
export type BlobUse = Readonly<Record<string, KeysInUse | string>>

const everyMs = 86_400_000
const graceMs = 86_400_000
const batch = 1_000

/** Adds a daily job that deletes orphaned blobs. */
export function withOrphanSweep<S extends Service>(services: readonly S[], blobs: Blobs): S[] {
  return services.map((service) => {
    if (!Object.values(service.blobs ?? {}).some((use) => typeof use !== 'string')) return service
    const sweep = sweepJob(service, blobs)
    return {
      ...service,
      jobs: [...(service.jobs ?? []), sweep],
      schedules: [...(service.schedules ?? []), { job: sweep, everyMs }],
    }
  })
}

interface Page {
  readonly after?: string
}

/** Checks one page of blobs per run, of all tenants, deleted ones included. */
function sweepJob({ name, blobs: uses = {} }: Service, blobs: Blobs): Job<Page> {
  const root = blobPrefix(name)
  const sweep: Job<Page> = job<Page>('sweepOrphans', {
    async run({ after }, { db, clock, log }) {
      const { items, next } = await blobs.list(root, { limit: batch, ...(after !== undefined && { after }) })
      const before = new Date(clock.now().getTime() - graceMs)
      const old = items
        .filter(({ modifiedAt }) => modifiedAt < before)
        .map(({ key }) => ownerOf(key.slice(root.length)))
      for (const [start, use] of Object.entries(uses)) {
        if (typeof use === 'string') continue
        const candidates = old.filter(({ key }) => key.startsWith(start))
        for (const [owner, group] of Map.groupBy(candidates, (blob) => blob.owner)) {
          const keys = group.map(({ key }) => key)
          const used = new Set(await use(db, tenantOf(owner), keys))
          const orphans = keys.filter((key) => !used.has(key))
          for (const key of orphans) await blobs.delete(`${root}${owner}/${key}`)
          if (orphans.length > 0) log.info({ count: orphans.length, owner, start }, 'deleted blobs without rows')
        }
      }
      if (next === undefined) return undefined
      return (_, jobs) => jobs.enqueue(sweep, { after: next })
    },
  })
  return sweep
}

function ownerOf(key: string): { readonly owner: string; readonly key: string } {
  const slash = key.indexOf('/')
  return { owner: key.slice(0, slash), key: key.slice(slash + 1) }
}

/** Shared blobs have no tenant, and no tenant's row refers to them. */
const tenantOf = (owner: string) => (owner.startsWith('@') ? '' : decodeURIComponent(owner))
