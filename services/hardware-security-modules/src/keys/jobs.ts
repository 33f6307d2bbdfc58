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

/** Destroys a deleted key in the token, on a device or on this node. Other nodes sweep. */
export const destroyKey = job<KeyWork, ServiceRuntime>('destroyKey', {
  retries: 10,
  async run({ tenant, module, key }, { runtime }) {
    await runtime.tokens.forget({ tenant, id: module }, key)
  },
})
