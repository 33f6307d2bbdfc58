import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'

/** Deletes the repository of a deleted vault. */
export const eraseVault = job<{ readonly id: string }, ServiceRuntime>('eraseVault', {
  retries: 8,
  run: ({ id }, { runtime }) => runtime.restic.erase({ path: id }),
})
