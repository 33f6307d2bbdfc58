import { type Job, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'

export interface KeyWork {
  readonly tenant: string
  readonly module: string
  readonly key: string
}

export interface KeyJobs {
  readonly destroyKey: Job<KeyWork, ServiceRuntime>
}

/** A key whose row is gone goes from the token: from a device, or from this node. Others notice by themselves. */
export const destroyKey = job<KeyWork, ServiceRuntime>('destroyKey', {
  retries: 10,
  async run({ tenant, module, key }, { runtime }) {
    await runtime.tokens.forget({ tenant, id: module }, key)
  },
})
