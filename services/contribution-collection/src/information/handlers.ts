import { implement, ok } from '@icosa/kernel'
import { publicOperations } from '../dialect/public.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { changes } from './changes.ts'
import { information as contract } from './contract.ts'

export const information = implement<typeof contract, ServiceRuntime>(contract, {
  describePublicAccess: async () => ok({ operations: [...publicOperations] }),
  listChanges: async () => ok(changes.map((change) => ({ ...change }))),
})
