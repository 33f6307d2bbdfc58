import { type JobsOf, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { writableRepositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'
import * as store from './maintenance-store.ts'

/**
 * Deletes the snapshots of deleted recovery points and leftovers of killed workers, and frees their space. Batched per vault,
 * since opening a repository takes a second and rewriting it takes longer. References are read after the snapshots are listed:
 * a snapshot that is written in between is not in the list.
 */
export const maintain = job<{ readonly vault: string }, ServiceRuntime>('maintain', {
  retries: 8,
  async run({ vault: name }, context) {
    const { db, tenant, runtime, tenantVault, signal } = context
    const vault = await vaults.find(db, tenant, name)
    if (!vault) return undefined
    const repository = await writableRepositoryOf(vault, await tenantVault(), db)
    const deleting = await store.listDeleting(db, tenant, name)
    const ids = deleting.map(({ id }) => id)
    for (const { id, type } of deleting.filter(({ continuous }) => continuous))
      await runtime.backups.get(type)?.continuous?.end(id, context)
    const snapshots = (await runtime.restic.list(repository, signal)).map((snapshot) => ({
      ...snapshot,
      point: pointIn(snapshot.tags),
    }))
    const referenced = await store.referenced(db, tenant, name, snapshots)
    const unreferenced = snapshots.filter(({ name }) => !referenced.has(name))
    await runtime.restic.forget(
      repository,
      unreferenced.map(({ id }) => id),
      signal,
    )
    return async (last) => {
      const removed = await store.removeAll(last, tenant, ids)
      if (removed > 0) await vaults.countPoints(last, tenant, name, -removed)
    }
  },
})

/** Enqueues the maintenance of a vault, at most once. */
export const tidyUp = (jobs: JobsOf, vault: string, tenant?: string) =>
  jobs.enqueue(maintain, { vault }, { key: vault, tenant })

const pointIn = (tags: readonly string[]) => tags.find((tag) => tag.startsWith('point='))?.slice('point='.length) ?? ''
