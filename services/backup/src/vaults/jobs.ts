import { job } from '@icosa/kernel'
import type { Held } from '../held.ts'

/** What is left of an empty vault: the key and the settings of its repository. */
export const eraseVault = job<{ readonly id: string }, Held>('eraseVault', {
  retries: 8,
  run: ({ id }, { held }) => held.restic.erase({ path: id }),
})
