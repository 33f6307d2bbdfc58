import { type Job, job } from '@icosa/kernel'
import type { Held } from '../held.ts'

export interface KeyWork {
  readonly tenant: string
  readonly module: string
  readonly key: string
}

export interface KeyJobs {
  readonly destroyKey: Job<KeyWork, Held>
}

/** A key whose row is gone goes from the token: from a device, or from this node. Others notice by themselves. */
export const destroyKey = job<KeyWork, Held>('destroyKey', {
  retries: 10,
  async run({ tenant, module, key }, { held }) {
    await held.tokens.forget({ tenant, id: module }, key)
  },
})
