import { implement, ok } from '@icosa/kernel'
import { publicOperations } from '../dialect/public.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { information as contract } from './contract.ts'

/** Newest first. */
const changes: readonly { readonly date: string; readonly title: string; readonly description?: string }[] = [
  {
    date: '2026-11-16T00:00:00.000Z',
    title: 'Version 1.0.0',
    description: 'Assignments, contributions, tags, forms, moderation, search, subscriptions, files and exports.',
  },
]

export const information = implement<typeof contract, ServiceRuntime>(contract, {
  describePublicAccess: async () => ok({ operations: [...publicOperations] }),
  listChanges: async () => ok(changes.map((change) => ({ ...change }))),
})
