import { expiringCache, type Platform } from '@icosa/kernel'
import { findOpen, type OpenModule } from '../modules/store.ts'

/** One-second cache of modules by id. */
export interface Directory {
  find(id: string): OpenModule | undefined | Promise<OpenModule | undefined>
  /** Must be called before a change of a module's state commits. */
  forget(id: string): void
}

const cacheMs = 1_000
const maxCached = 10_000

/** Caches only modules that are ready. */
export function openDirectory({ database }: Platform): Directory {
  const cache = expiringCache<OpenModule | undefined>({
    name: 'hardware-security-modules modules',
    forMs: cacheMs,
    limit: maxCached,
    keep: (module) => module?.state === 'Succeeded',
    find: (id) => findOpen(database, id),
  })
  return { find: (id) => cache.get(id), forget: (id) => cache.forget(id) }
}
