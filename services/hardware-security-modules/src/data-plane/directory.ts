import { expiringCache, type Platform } from '@icosa/kernel'
import { findOpen, type OpenModule } from '../modules/store.ts'

/** Modules by their ids, as they were last seen. */
export interface Directory {
  find(id: string): OpenModule | undefined | Promise<OpenModule | undefined>
  /** To be called before a change of a module's state commits. */
  forget(id: string): void
}

const rememberedMs = 1_000
const rememberedLimit = 10_000

/** One that is there is remembered for a second; that there is none, or not yet, is not. */
export function openDirectory({ database }: Platform): Directory {
  const found = expiringCache<OpenModule | undefined>({
    name: 'hardware-security-modules modules',
    forMs: rememberedMs,
    limit: rememberedLimit,
    keep: (module) => module?.state === 'Succeeded',
    find: (id) => findOpen(database, id),
  })
  return { find: (id) => found.get(id), forget: (id) => found.forget(id) }
}
