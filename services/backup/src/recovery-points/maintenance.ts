import { type JobsOf, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { writableRepositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'
import * as store from './maintenance-store.ts'

/**
 * Forgets what is to be deleted, and what killed workers have left behind, and gives the space back: all of a vault at once,
 * since opening a repository takes a second and rewriting it takes longer. What is to be kept is read after the list of
 * what is there: whatever was made in between is not on that list.
 */
export const maintain = job<{ readonly vault: string }, ServiceRuntime>('maintain', {
  retries: 8,
  async run({ vault: name }, context) {
    const { db, tenant, runtime, vault: seal, signal } = context
    const vault = await vaults.find(db, tenant, name)
    if (!vault) return undefined
    const repository = await writableRepositoryOf(vault, seal, db)
    const all = await store.going(db, tenant, name)
    const going = all.map(({ id }) => id)
    for (const { id, type } of all.filter(({ continuous }) => continuous))
      await runtime.backups.get(type)?.continuous?.end(id, context)
    const there = (await runtime.restic.list(repository, signal)).map((one) => ({ ...one, point: pointIn(one.tags) }))
    const kept = await store.kept(db, tenant, name, there)
    const forgotten = there.filter(({ name }) => !kept.has(name))
    await runtime.restic.forget(
      repository,
      forgotten.map(({ id }) => id),
      signal,
    )
    return async (last) => {
      const removed = await store.removeAll(last, tenant, going)
      if (removed > 0) await vaults.countPoints(last, tenant, name, -removed)
    }
  },
})

/** Has a vault maintained soon: once, however much there is to do. */
export const tidyUp = (jobs: JobsOf, vault: string, tenant?: string) =>
  jobs.enqueue(maintain, { vault }, { key: vault, tenant })

const pointIn = (tags: readonly string[]) => tags.find((tag) => tag.startsWith('point='))?.slice('point='.length) ?? ''
