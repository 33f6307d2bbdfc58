import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'

/** What is left of an empty vault: the key and the settings of its repository. */
export const eraseVault = job<{ readonly id: string }, ServiceRuntime>('eraseVault', {
  retries: 8,
  run: ({ id }, { runtime }) => runtime.restic.erase({ path: id }),
})
